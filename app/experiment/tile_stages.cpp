#include "experiment/tile_stages.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace gemmscope::experiment {
namespace {

using sm::MemoryOp;
using sm::Special;
using sm::TimedInstruction;
using sm::Unit;

// So many passes show which tile an instruction works for, and in which order the buffers are filled.
constexpr int kPassesToRead = 7;
constexpr size_t kMostRecordsToRead = 400'000;
constexpr int kSamples = 3;  // of an instruction

CodeStages::Of stage_of(const TimedInstruction& instruction) {
  CodeStages::Of of;
  of.counts = true;
  switch (instruction.memory) {
    case MemoryOp::load_global:
    case MemoryOp::async_copy:
      of.stage = TileStage::global_load;
      return of;
    case MemoryOp::store_shared:
      of.stage = TileStage::store_shared;
      return of;
    case MemoryOp::load_shared:
      of.stage = TileStage::load_shared;
      return of;
    case MemoryOp::none:
      break;
    default:
      of.counts = false;
      return of;
  }
  const bool waits_for_others =
      instruction.special == Special::barrier || instruction.special == Special::object_wait;
  if (waits_for_others)
    of.stage = instruction.special == Special::barrier ? TileStage::barrier : TileStage::object_wait;
  if (instruction.special == Special::bulk_copy) of.stage = TileStage::global_load;
  const bool math =
      instruction.unit == Unit::fma || instruction.unit == Unit::fp64 || instruction.unit == Unit::tensor;
  of.counts = math || waits_for_others || instruction.special == Special::bulk_copy;
  return of;
}

int32_t depth_of(const metrics::MatrixLayout& layout, metrics::Tag tag) {
  if (tag == metrics::kNoTag) return -1;
  const metrics::Element element = metrics::element_of(layout, tag);
  return element.matrix == metrics::kMatrixA   ? static_cast<int32_t>(element.column)
         : element.matrix == metrics::kMatrixB ? static_cast<int32_t>(element.row)
                                               : -1;
}

struct Sample {
  int pass = 0, depth = 0;
};

// Replays the first passes of a block and notes the depth that each instruction works at.
class DepthReader {
 public:
  DepthReader(const BlockResult& block, const CodeStages& code)
      : block_(block),
        code_(code),
        replay_(block.trace, block.compiled->instructions, block.layout),
        samples(code.instructions.size()) {}

  void read(const std::atomic<bool>* cancelled) {
    const std::vector<machine::TraceRecord>& records = block_.trace.records;
    const size_t count = std::min(records.size(), kMostRecordsToRead);
    for (size_t i = 0; i < count; ++i) {
      if (cancelled != nullptr && i % 1024 == 0 && *cancelled) return;
      const machine::TraceRecord& record = records[i];
      if (record.warp == 0 && record.k_tile >= kPassesToRead) return;
      const CodeStages::Of& of = code_.instructions[record.instruction];
      const bool waits = of.stage == TileStage::barrier || of.stage == TileStage::object_wait;
      if (!of.counts || waits || record.executed == 0) continue;
      const bool filling = is_fill(record);
      const std::vector<Sample>& known = samples[record.instruction];
      const bool again = !known.empty() && known.back().pass == record.k_tile;
      if (!(filling && record.warp == 0) && (again || known.size() >= kSamples)) continue;
      // What a store leaves in shared memory is there after it.
      const bool stores = of.stage == TileStage::store_shared;
      replay_.seek(stores ? i + 1 : i);
      const int32_t depth = stores ? stored_depth(record) : replay_.depth_at_position();
      if (depth < 0) continue;
      if (!again && known.size() < kSamples) samples[record.instruction].push_back({record.k_tile, depth});
      if (filling) note_fill(record, depth);
    }
  }

  std::map<int, uint64_t> fills;  // by depth: the lowest address in shared memory that its elements go to

 private:
  static const machine::TraceAccess* shared_store(const BlockResult& block,
                                                  const machine::TraceRecord& record) {
    for (const machine::TraceAccess& access : block.trace.accesses_of(record))
      if (access.space == machine::Space::shared && access.direction == machine::Direction::store)
        return &access;
    return nullptr;
  }
  bool is_fill(const machine::TraceRecord& record) const { return shared_store(block_, record) != nullptr; }

  int32_t stored_depth(const machine::TraceRecord& record) const {
    const machine::TraceAccess* access = shared_store(block_, record);
    if (access == nullptr || access->mask == 0) return -1;
    const auto lane = static_cast<size_t>(std::countr_zero(access->mask));
    return depth_of(block_.layout, replay_.shared_tag(access->addresses[lane] / 4));
  }

  void note_fill(const machine::TraceRecord& record, int32_t depth) {
    const machine::TraceAccess* access = shared_store(block_, record);
    if (access == nullptr || access->mask == 0) return;
    const uint64_t address = access->addresses[static_cast<size_t>(std::countr_zero(access->mask))];
    const auto [at, added] = fills.emplace(depth, address);
    if (!added) at->second = std::min(at->second, address);
  }

  const BlockResult& block_;
  const CodeStages& code_;
  metrics::DataflowReplay replay_;

 public:
  std::vector<std::vector<Sample>> samples;  // by instruction
};

// How far an instruction of the loop goes along k from one pass to the next, as most of them do.
int find_pass_depth(const CodeStages& code, const std::vector<std::vector<Sample>>& samples) {
  std::map<int, int> votes;
  for (size_t i = 0; i < samples.size(); ++i)
    for (size_t s = 1; s < samples[i].size(); ++s) {
      const Sample &a = samples[i][s - 1], &b = samples[i][s];
      const int weight = code.instructions[i].stage == TileStage::math ? 4 : 1;
      if (b.pass > a.pass && b.depth > a.depth) votes[(b.depth - a.depth) / (b.pass - a.pass)] += weight;
    }
  const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  return most == votes.end() ? 0 : most->first;
}

// The tiles of consecutive fills take the buffers in turn until the first buffer's address comes again.
int count_slots(const std::map<int, uint64_t>& fills, int pass_depth) {
  if (fills.empty() || pass_depth <= 0) return 0;
  std::map<int, uint64_t> lowest;  // by tile
  for (const auto& [depth, address] : fills) {
    const auto [at, added] = lowest.emplace(depth / pass_depth, address);
    if (!added) at->second = std::min(at->second, address);
  }
  for (const auto& [tile, address] : lowest)
    if (tile > 0 && address == lowest.begin()->second) return tile - lowest.begin()->first;
  return static_cast<int>(lowest.size());
}

void find_loop(const BlockResult& block, CodeStages& code) {
  const std::vector<machine::TraceRecord>& records = block.trace.records;
  if (block.warp_records.empty() || block.warp_records[0].empty()) return;
  const uint16_t last = records[block.warp_records[0].back()].k_tile;
  code.loop_begin = ~0u;
  for (const uint32_t record : block.warp_records[0]) {
    const machine::TraceRecord& r = records[record];
    if (r.k_tile == 0 || (r.k_tile == last && last > 1)) continue;
    code.loop_begin = std::min(code.loop_begin, r.instruction);
    code.loop_end = std::max(code.loop_end, r.instruction + 1);
  }
  if (code.loop_begin > code.loop_end) code.loop_begin = code.loop_end = 0;
}

}  // namespace

CodeStages find_code_stages(const BlockResult& block, const sm::LaunchTrace& launch,
                            const std::atomic<bool>* cancelled) {
  CodeStages code;
  for (const TimedInstruction& instruction : launch.code) {
    code.instructions.push_back(stage_of(instruction));
    code.async_copies |= instruction.memory == MemoryOp::async_copy;
    code.bulk_copies |= instruction.special == Special::bulk_copy;
  }
  if (!block.layout.is_gemm() || block.compiled->instructions.size() != launch.code.size()) return code;
  find_loop(block, code);
  DepthReader reader(block, code);
  reader.read(cancelled);
  code.pass_depth = find_pass_depth(code, reader.samples);
  if (code.pass_depth == 0) return code;
  code.slots = count_slots(reader.fills, code.pass_depth);
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    if (reader.samples[i].empty()) continue;
    // The last one: in the first pass, what comes before the loop may be mixed in.
    const Sample& sample = reader.samples[i].back();
    code.instructions[i].known = true;
    code.instructions[i].ahead = static_cast<int16_t>(sample.depth / code.pass_depth - sample.pass);
  }
  return code;
}

namespace {

// Collects the bars of one block.
class StageCollector {
 public:
  StageCollector(const sm::Timeline& timeline, const sm::LaunchTrace& launch, const CodeStages& code)
      : timeline_(timeline), launch_(launch), code_(code) {}

  void add(size_t w) {
    add_stages(w);
    if (code_.async_copies) add_groups(w);
    if (code_.bulk_copies) add_bulk_copies(w);
  }

  BlockStages take() {
    BlockStages result;
    add_object_waits();
    for (auto& [key, bar] : bars_) {
      bar.stage = key.first;
      const bool waits = key.first == TileStage::barrier || key.first == TileStage::object_wait;
      bar.tile = waits ? pass_of_wait_[key] : key.second;
      result.bars.push_back(bar);
    }
    std::ranges::stable_sort(result.bars, {},
                             [](const StageBar& bar) { return std::pair(bar.stage, bar.begin); });
    choose_lanes(result);
    add_slots(result);
    take_groups(result);
    result.pass_begins = pass_begins_;
    uint32_t end = 0;
    for (const StageBar& bar : result.bars)
      if (bar.stage == TileStage::math) end = std::max(end, bar.end);
    result.pass_begins.push_back(end);
    return result;
  }

 private:
  using Key = std::pair<TileStage, int>;

  // When the barrier that step `k` came to released the warp: the next step that waits for one says so.
  static uint32_t released_after(const sm::WarpTimeline& warp, size_t k) {
    for (size_t next = k + 1; next < warp.steps.size(); ++next)
      if (const uint32_t released = warp.steps[next].released; released > warp.steps[k].issued)
        return released;
    return warp.steps[k].issued + 1;
  }

  void add_stages(size_t w) {
    const sm::WarpTimeline& warp = timeline_.warps[w];
    const auto& issued = launch_.blocks[timeline_.blocks[warp.block].trace].warps[warp.warp];
    const uint16_t last_pass = warp.steps.empty() ? 0 : warp.steps.back().pass;
    int barrier = 0;
    for (size_t k = 0; k < warp.steps.size(); ++k) {
      const sm::TimelineStep& step = warp.steps[k];
      begin_pass(step);
      const CodeStages::Of& of = code_.instructions[step.instruction];
      const bool tail = code_.loop_end > 0 && step.pass == last_pass && step.instruction >= code_.loop_end;
      if (tail && !(of.counts && of.known)) {
        extend({TileStage::epilogue, 0}, step.issued, step.done);
        continue;
      }
      if (!of.counts || (k < issued.size() && issued[k].lanes == 0)) continue;
      // By phases, below.
      const bool is_copy = launch_.code[step.instruction].special == Special::bulk_copy;
      if (is_copy || of.stage == TileStage::object_wait) continue;
      if (of.stage == TileStage::barrier) {
        pass_of_wait_[{TileStage::barrier, barrier}] = step.pass;
        extend({TileStage::barrier, barrier++}, step.issued, released_after(warp, k));
        continue;
      }
      if (of.stage == TileStage::math && code_.pass_depth > 0 && !of.known) continue;
      extend({of.stage, std::max(0, step.pass + of.ahead)}, step.issued,
             std::max(step.done, step.issued + 1));
    }
  }

  // The phase of a barrier object that the step waits for or whose bytes it brings; kNoPhase: neither.
  uint32_t phase_of(const sm::TimelineStep& step, const sm::IssuedInstruction& issued) const {
    const Special special = launch_.code[step.instruction].special;
    if (special == Special::object_wait && issued.lanes != 0) return issued.line;
    if (special == Special::bulk_copy && issued.shape != 0) return launch_.shapes[issued.shape].phase;
    return sm::kNoPhase;
  }
  // Bulk copies by the phase that they arrive in, and the waits for any phase.
  void add_bulk_copies(size_t w) {
    const sm::WarpTimeline& warp = timeline_.warps[w];
    const auto& issued = launch_.blocks[timeline_.blocks[warp.block].trace].warps[warp.warp];
    std::map<uint32_t, CopyTurn> turns;  // by instruction
    for (size_t k = 0; k < std::min(warp.steps.size(), issued.size()); ++k) {
      const sm::TimelineStep& step = warp.steps[k];
      const uint32_t phase = phase_of(step, issued[k]);
      if (phase == sm::kNoPhase) continue;
      if (launch_.code[step.instruction].special == Special::object_wait) {
        add_wait(phases_[phase], w, k);
        continue;
      }
      CopyGroup copy;
      copy.bulk = true;
      copy.begin = step.issued;
      copy.end = std::max(step.done, step.issued + 1);
      copy.tile = std::max(0, step.pass + code_.instructions[step.instruction].ahead +
                                  turns[step.instruction].next(step.pass, phase));
      join({true, static_cast<int>(phase)}, copy);
      extend({TileStage::global_load, copy.tile}, copy.begin, copy.end);
    }
  }
  // Before the main loop one instruction may start the copies of several tiles, a phase each.
  struct CopyTurn {
    int pass = -1, turn = 0;
    uint32_t phase = sm::kNoPhase;
    int next(int new_pass, uint32_t new_phase) {
      turn = new_pass != pass ? 0 : turn + (new_phase != phase ? 1 : 0);
      pass = new_pass;
      phase = new_phase;
      return turn;
    }
  };
  // Of a warp for a phase: from the check of the phase until its result; and the stall at the instruction
  // that uses the result, soon after it.
  struct PhaseWait {
    uint32_t begin = 0, end = 0, stall_begin = 0, stall_end = 0;
    int pass = 0;
  };
  void add_wait(std::vector<PhaseWait>& waits, size_t w, size_t check) const {
    constexpr size_t kSoon = 8;
    const sm::WarpTimeline& warp = timeline_.warps[w];
    const sm::TimelineStep& step = warp.steps[check];
    PhaseWait& wait = waits.emplace_back();
    wait.pass = step.pass;
    wait.begin = step.issued;
    wait.end = std::max(step.issued + 1, step.done);
    for (size_t k = check + 1; k < std::min(warp.steps.size(), check + 1 + kSoon); ++k) {
      const sm::TimelineStep& next = warp.steps[k];
      if (next.cause != check || next.cause_warp != w) continue;
      wait.stall_begin = std::max({warp.begin_of(k), next.ready, next.released});
      wait.stall_end = std::max(wait.stall_begin, std::min(next.results, next.issued));
      return;
    }
  }
  // After all warps: a wait belongs to the copies of its phase, or is a bar of its own.
  void add_object_waits() {
    for (const auto& [phase, waits] : phases_) {
      const auto number = static_cast<int>(phase);
      const auto copies = groups_.find({true, number});
      for (const PhaseWait& wait : waits) {
        if (copies != groups_.end()) {
          join_wait(copies->second, wait);
          continue;
        }
        pass_of_wait_[{TileStage::object_wait, number}] = wait.pass;
        extend({TileStage::object_wait, number}, wait.begin, wait.end);
      }
    }
  }
  // A check takes its time even where the bytes are there before it: that is no stall for the copies.
  static void join_wait(CopyGroup& copies, const PhaseWait& wait) {
    copies.waited = std::max(copies.waited, wait.end);
    if (wait.begin >= copies.end || wait.stall_end <= wait.stall_begin) return;
    copies.stall_begin =
        copies.stall_end == 0 ? wait.stall_begin : std::min(copies.stall_begin, wait.stall_begin);
    copies.stall_end = std::max(copies.stall_end, wait.stall_end);
  }
  // The warp's copies by the commit that follows them.
  void add_groups(size_t w) {
    const sm::WarpTimeline& warp = timeline_.warps[w];
    const auto& issued = launch_.blocks[timeline_.blocks[warp.block].trace].warps[warp.warp];
    int commits = 0, waited = 0;  // groups [0, waited) were waited for
    CopyGroup open;
    for (size_t k = 0; k < warp.steps.size(); ++k) {
      const sm::TimelineStep& step = warp.steps[k];
      const TimedInstruction& instruction = launch_.code[step.instruction];
      if (instruction.memory == MemoryOp::async_copy && k < issued.size() && issued[k].lanes != 0) {
        if (open.end == 0) open.begin = step.issued;
        open.end = std::max({open.end, step.done, step.issued + 1});
        open.tile = std::max(0, step.pass + code_.instructions[step.instruction].ahead);
      } else if (instruction.special == Special::copy_group) {
        if (open.end > 0) join({false, commits}, open);
        ++commits;
        open = {};
      } else if (instruction.special == Special::depbar) {
        const int last = commits - instruction.scoreboard_count;  // groups below it must be complete
        for (; waited < last; ++waited) pass_wait(waited, warp, k, waited + 1 == last);
      }
    }
  }
  using GroupKey = std::pair<bool, int>;  // of bulk copies: the phase, else the number of the commit
  void join(GroupKey key, const CopyGroup& part) {
    const auto [at, added] = groups_.try_emplace(key, part);
    CopyGroup& group = at->second;
    group.group = key.second;
    group.begin = std::min(group.begin, part.begin);
    group.end = std::max(group.end, part.end);
  }
  void pass_wait(int number, const sm::WarpTimeline& warp, size_t k, bool is_latest) {
    const auto at = groups_.find({false, number});
    if (at == groups_.end()) return;
    CopyGroup& group = at->second;
    const sm::TimelineStep& step = warp.steps[k];
    group.waited = std::max(group.waited, step.issued);
    const uint32_t begin = std::max({warp.begin_of(k), step.ready, step.released});
    const uint32_t end = std::min(step.results, step.issued);
    if (!is_latest || end <= begin) return;
    group.stall_begin = group.stall_end == 0 ? begin : std::min(group.stall_begin, begin);
    group.stall_end = std::max(group.stall_end, end);
  }
  // Groups take the lanes in turn; so many that none overlaps the one before it in its lane.
  void take_groups(BlockStages& result) const {
    for (const auto& [key, group] : groups_) {
      result.groups.push_back(group);
      result.groups.back().waited = std::max(group.waited, group.end);
    }
    const auto fits = [&](size_t lanes) {
      for (size_t i = lanes; i < result.groups.size(); ++i)
        if (result.groups[i].begin < result.groups[i - lanes].waited) return false;
      return true;
    };
    size_t lanes = std::min<size_t>(1, result.groups.size());
    while (lanes > 0 && !fits(lanes)) ++lanes;
    result.group_lanes = static_cast<int>(lanes);
    for (size_t i = 0; i < result.groups.size(); ++i) result.groups[i].lane = static_cast<int>(i % lanes);
  }

  void begin_pass(const sm::TimelineStep& step) {
    while (pass_begins_.size() <= step.pass) pass_begins_.push_back(step.issued);
    pass_begins_[step.pass] = std::min(pass_begins_[step.pass], step.issued);
  }
  void extend(Key key, uint32_t begin, uint32_t end) {
    const auto [at, added] = bars_.try_emplace(key);
    StageBar& bar = at->second;
    bar.begin = added ? begin : std::min(bar.begin, begin);
    bar.end = std::max(bar.end, end);
    ++bar.steps;
  }
  static void choose_lanes(BlockStages& result) {
    std::array<std::vector<uint32_t>, kTileStages> free;  // by lane: the end of its last bar
    for (StageBar& bar : result.bars) {
      std::vector<uint32_t>& lanes = free[static_cast<size_t>(bar.stage)];
      const auto found = std::ranges::find_if(lanes, [&](uint32_t end) { return end <= bar.begin; });
      bar.lane = static_cast<int>(found - lanes.begin());
      if (found == lanes.end()) lanes.push_back(0);
      lanes[static_cast<size_t>(bar.lane)] = bar.end;
    }
    for (size_t s = 0; s < kTileStages; ++s) {
      result.lanes[s] = static_cast<int>(free[s].size());
      take_turns(result, static_cast<TileStage>(s), result.lanes[s]);
    }
  }
  // Where tiles can take the lanes in turn they do: the eye follows a regular step.
  static void take_turns(BlockStages& result, TileStage stage, int lanes) {
    if (lanes < 2) return;
    std::vector<uint32_t> ends(static_cast<size_t>(lanes));
    for (const StageBar& bar : result.bars) {
      if (bar.stage != stage) continue;
      uint32_t& end = ends[static_cast<size_t>(bar.tile % lanes)];
      if (bar.begin < end) return;
      end = bar.end;
    }
    for (StageBar& bar : result.bars)
      if (bar.stage == stage) bar.lane = bar.tile % lanes;
  }
  const StageBar* find(TileStage stage, int tile) const {
    const auto at = bars_.find({stage, tile});
    return at == bars_.end() ? nullptr : &at->second;
  }
  void add_slots(BlockStages& result) const {
    if (code_.slots == 0) return;
    const bool copies = code_.async_copies || code_.bulk_copies;
    const TileStage fill = copies ? TileStage::global_load : TileStage::store_shared;
    for (const auto& [key, bar] : bars_) {
      if (key.first != fill) continue;
      const StageBar* read = find(TileStage::load_shared, key.second);
      const uint32_t end = read == nullptr ? bar.end : std::max(bar.end, read->end);
      result.slots.push_back({key.second % code_.slots, key.second, bar.begin, bar.end, end});
    }
  }

  const sm::Timeline& timeline_;
  const sm::LaunchTrace& launch_;
  const CodeStages& code_;
  std::map<Key, StageBar> bars_;
  std::map<GroupKey, CopyGroup> groups_;
  std::map<uint32_t, std::vector<PhaseWait>> phases_;
  std::map<Key, int> pass_of_wait_;  // of barriers and barrier objects
  std::vector<uint32_t> pass_begins_;
};

}  // namespace

std::vector<BlockStages> find_stages(const sm::Timeline& timeline, const sm::LaunchTrace& launch,
                                     const CodeStages& code) {
  std::vector<StageCollector> collectors(timeline.blocks.size(), StageCollector(timeline, launch, code));
  for (size_t w = 0; w < timeline.warps.size(); ++w) collectors[timeline.warps[w].block].add(w);
  std::vector<BlockStages> stages;
  stages.reserve(collectors.size());
  for (StageCollector& collector : collectors) stages.push_back(collector.take());
  return stages;
}

}  // namespace gemmscope::experiment
