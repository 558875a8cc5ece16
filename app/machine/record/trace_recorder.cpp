#include "machine/record/trace_recorder.h"

#include <algorithm>
#include <bit>

#include "machine/record/distance_pool.h"

namespace gemmscope::machine {
namespace {

using isa::Modifier;

constexpr Modifier kOrdered[] = {
    Modifier::strong,     Modifier::strong_sm,          Modifier::strong_sm_private,
    Modifier::strong_gpu, Modifier::strong_gpu_private, Modifier::strong_sys,
    Modifier::mmio,       Modifier::mmio_gpu,           Modifier::mmio_sys};

bool is_ordered(const isa::Instruction& instruction) {
  return std::ranges::any_of(kOrdered, [&](Modifier m) { return instruction.has(m); });
}

bool waits_for_all_threads(const MicroOp& barrier) {
  return barrier.source[1] == kZeroRow && (barrier.flags & (kWide | kHigh)) == 0;
}

bool turns_matter(const MicroOp& op, const isa::Instruction& instruction) {
  if (is_access(op.action)) return is_ordered(instruction);
  switch (op.action) {
    case Action::atomic_global:
    case Action::atomic_shared:
    case Action::object_test:
    case Action::clock:
    case Action::sleep:
      return true;
    case Action::block_barrier:
      return !waits_for_all_threads(op);
    default:
      return false;
  }
}

}  // namespace

bool turns_matter(const Program& program) {
  for (size_t i = 0; i < program.ops.size(); ++i)
    if (turns_matter(program.ops[i], program.instructions[i])) return true;
  return false;
}

uint64_t TraceRecorder::Log::records_until(uint64_t end_turn) const {
  uint64_t count = 0;
  for (size_t j = 0; j < jumps.size() && jumps[j].turn < end_turn; ++j) {
    const uint64_t end = j + 1 < jumps.size() ? jumps[j + 1].record : records;
    count = std::min(end, jumps[j].record + (end_turn - jumps[j].turn));
  }
  return count;
}

void TraceRecorder::Log::keep(uint64_t count) {
  for (; records > count; runs.pop_back()) {
    Run& last = runs.back();
    const auto dropped = static_cast<uint16_t>(std::min<uint64_t>(records - count, last.count));
    last.count -= dropped;
    records -= dropped;
    if (last.count != 0) break;
  }
  std::erase_if(jumps, [count](const Jump& jump) { return jump.record > count; });
}

TraceRecorder::TraceRecorder(const Program& program, Trace& trace, size_t limit, Order order)
    : trace_(trace),
      limit_(limit),
      is_head_(program.ops.size()),
      passes_(trace.warp_count),
      logs_(order == Order::by_warp ? trace.warp_count : 1),
      end_turn_(limit),  // in every turn at least one warp issues
      pool_(std::make_unique<DistancePool>(program.ops.size())) {
  for (const uint32_t head : main_loop_heads(program.instructions)) is_head_[head] = true;
  // Enough for the blocks of most kernels. Unused memory costs nothing, but growing does.
  constexpr size_t kReservedAccesses = 1 << 17;
  trace.accesses.reserve(std::min(limit, kReservedAccesses));
  owners_.reserve(std::min(limit, kReservedAccesses));
  trace.distances = pool_->all();
}

TraceRecorder::~TraceRecorder() = default;

void TraceRecorder::on_issues(const Issue& first, uint32_t count) {
  Log& log = logs_[logs_.size() == 1 ? 0 : first.warp];
  const auto room =
      static_cast<uint16_t>(std::min<uint64_t>(count, end_turn_ - std::min(end_turn_, log.turn)));
  log.turn += count;
  if (room < count) trace_.complete = false;
  last_run_ = nullptr;
  if (room == 0) return;
  log.runs.push_back({first.instruction, first.mask, first.executed,
                      static_cast<uint32_t>(trace_.accesses.size()), 0, first.warp, room});
  log.records += room;
  kept_ += room;
  const size_t runs = log.runs.size();
  if (kept_ / 2 > limit_) keep_first_turns();
  if (log.runs.size() == runs) last_run_ = &log.runs.back();
}

void TraceRecorder::on_access(const Access& access) {
  if (last_run_ == nullptr) return;
  const uint32_t owner = access.instruction - last_run_->instruction;
  if (owner >= last_run_->count) return;
  ++last_run_->access_count;
  owners_.push_back(static_cast<uint16_t>(owner));
  trace_.accesses.push_back(
      {access.space, access.direction, access.width_bytes, access.path, access.mask, pool_->find(access)});
}

// Code that waits at barrier objects is reported in turns (turns_matter): then one log has all records.
void TraceRecorder::on_object(const ObjectUse& use) {
  uint32_t& over = phases_[use.address];
  if (use.kind == ObjectUse::Kind::initialise) over = 0;
  const bool waits = use.kind == ObjectUse::Kind::wait;
  const bool first_phase = waits && over == 0;  // the wait for the phase before passes at once
  if (last_run_ != nullptr && logs_.size() == 1 && !first_phase) {
    const uint64_t record = logs_[0].records - last_run_->count + (use.instruction - last_run_->instruction);
    trace_.object_uses.push_back(
        {static_cast<uint32_t>(record), use.address, waits ? over - 1 : over, use.kind});
  }
  if (use.completes && !waits) ++over;
}

void TraceRecorder::on_exit(uint32_t warp) {
  if (logs_.size() > 1) logs_[warp].exited = true;
}

// The last warp to arrive, or to exit, releases the others. Warps after it go on in the same turn; it and the
// warps before it go on in the next one.
void TraceRecorder::on_release(uint32_t warps) {
  if (logs_.size() == 1) return;
  uint64_t end = 0;  // the turn after that of the last warp
  uint32_t last = 0;
  for (uint32_t w = 0; w < logs_.size(); ++w) {
    const bool counts = logs_[w].exited || (warps >> w & 1u) != 0;
    if (counts && logs_[w].turn >= end) end = logs_[w].turn, last = w;
  }
  for (; warps != 0; warps &= warps - 1) {
    const auto w = static_cast<uint32_t>(std::countr_zero(warps));
    const uint64_t turn = w > last ? end - 1 : end;
    if (logs_[w].turn == turn) continue;
    logs_[w].turn = turn;
    logs_[w].jumps.push_back({logs_[w].records, turn});
  }
}

uint64_t TraceRecorder::records_until(uint64_t end_turn) const {
  uint64_t count = 0;
  for (const Log& log : logs_) count += log.records_until(end_turn);
  return count;
}

// Drops the records that cannot be among the first `limit` ones, whatever the other warps still do.
void TraceRecorder::keep_first_turns() {
  uint64_t low = 0, high = end_turn_;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (records_until(middle) < limit_) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  end_turn_ = low;
  trace_.complete = false;
  for (Log& log : logs_) log.keep(log.records_until(end_turn_));
  kept_ = records_until(end_turn_);
}

// Walks over the records of a log.
class TraceRecorder::Cursor {
 public:
  explicit Cursor(const Log& log) : log_(&log) { find_turn(); }

  bool done() const { return record_ == log_->records; }
  uint64_t turn() const { return turn_; }               // of the next record
  uint64_t in_a_row() const { return end_ - record_; }  // records in consecutive turns

  // Calls write(run, begin, end, i): the run's instructions [begin, end) are the records from the i-th on.
  template <typename Write>
  void advance(uint64_t records, Write write) {
    for (uint64_t i = 0; i < records;) {
      const Run& run = log_->runs[run_];
      const auto taken = static_cast<uint32_t>(std::min<uint64_t>(records - i, run.count - within_));
      write(run, within_, within_ + taken, i);
      within_ += taken, i += taken;
      if (within_ == run.count) ++run_, within_ = 0;
    }
    record_ += records, turn_ += records;
    find_turn();
  }

 private:
  void find_turn() {
    for (; record_ == end_ && jump_ < log_->jumps.size(); ++jump_) {
      turn_ = log_->jumps[jump_].turn;
      end_ = jump_ + 1 < log_->jumps.size() ? log_->jumps[jump_ + 1].record : log_->records;
    }
  }

  const Log* log_;
  size_t run_ = 0;       // the run of the next record
  size_t jump_ = 0;      // the jump after the one of the next record
  uint32_t within_ = 0;  // position of the next record in its run
  uint64_t record_ = 0, end_ = 0, turn_ = 0;
};

void TraceRecorder::write_run(const Run& run, uint32_t begin, uint32_t end, TraceRecord* to, size_t step) {
  uint32_t access = run.first_access;
  const uint32_t last = access + run.access_count;
  while (access != last && owners_[access] < begin) ++access;
  uint32_t& passes = passes_[run.warp];
  for (uint32_t i = begin; i != end; ++i, to += step) {
    const uint32_t instruction = run.instruction + i, first_access = access;
    passes += is_head_[instruction] != 0 ? 1 : 0;
    const auto k_tile = static_cast<uint16_t>(std::min<uint32_t>(passes == 0 ? 0 : passes - 1, 0xffff));
    while (access != last && owners_[access] == i) ++access;
    *to = {instruction,
           run.mask,
           run.executed,
           first_access,
           run.warp,
           k_tile,
           static_cast<uint8_t>(access - first_access)};
  }
}

// Writes warps that issue in the same turns together.
void TraceRecorder::write_records() {
  constexpr uint64_t kMostTurns = 64;  // at a time: these records fit into the cache
  std::vector<Cursor> cursors;
  for (const Log& log : logs_)
    if (log.records != 0) cursors.emplace_back(log);
  trace_.records.reserve(kept_);
  std::vector<Cursor*> issuing;
  while (!cursors.empty()) {
    const uint64_t turn = std::ranges::min(cursors, {}, &Cursor::turn).turn();
    uint64_t turns = kMostTurns;
    issuing.clear();
    for (Cursor& cursor : cursors) {
      turns = std::min(turns, cursor.turn() == turn ? cursor.in_a_row() : cursor.turn() - turn);
      if (cursor.turn() == turn) issuing.push_back(&cursor);
    }
    const size_t step = issuing.size();
    trace_.records.resize(trace_.records.size() + turns * step);
    TraceRecord* const to = trace_.records.data() + trace_.records.size() - turns * step;
    for (size_t c = 0; c < step; ++c)
      issuing[c]->advance(turns, [&](const Run& run, uint32_t begin, uint32_t end, uint64_t i) {
        write_run(run, begin, end, to + i * step + c, step);
      });
    std::erase_if(cursors, [](const Cursor& cursor) { return cursor.done(); });
  }
}

void TraceRecorder::drop_unused_accesses() {
  std::vector<TraceAccess> kept;
  for (TraceRecord& record : trace_.records) {
    const auto accesses = trace_.accesses_of(record);
    record.first_access = static_cast<uint32_t>(kept.size());
    kept.insert(kept.end(), accesses.begin(), accesses.end());
  }
  trace_.accesses = std::move(kept);
}

void TraceRecorder::finish() {
  if (kept_ > limit_) keep_first_turns();
  write_records();
  if (trace_.complete) return;
  if (trace_.records.size() > limit_) trace_.records.resize(limit_);
  std::erase_if(trace_.object_uses,
                [&](const TracedObjectUse& use) { return use.record >= trace_.records.size(); });
  drop_unused_accesses();
}

}  // namespace gemmscope::machine
