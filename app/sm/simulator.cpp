#include "sm/simulator.h"

#include <algorithm>
#include <cmath>

#include "sm/cache.h"
#include "sm/register_ports.h"

namespace gemmscope::sm {
namespace {

// Cycles after which a run has gone wrong: no launch of four waves takes an hour.
constexpr uint64_t kMostCycles = uint64_t{1} << 40;
// A cancelled run stops within so many simulated cycles.
constexpr uint64_t kCyclesBetweenQuestions = 1 << 16;

constexpr size_t kFetchedPieces = 1 << 16;

double interval_of(const TimedInstruction& instruction, const SmConfig& config) {
  switch (instruction.unit) {
    case Unit::fma:
      return config.ffma_interval;
    case Unit::fma_heavy:
      return instruction.wide_imad ? config.imad_wide_interval : config.imad_interval;
    case Unit::alu:
      return config.alu_interval;
    case Unit::fp64:
      return config.fp64_interval;
    case Unit::xu:
      return config.xu_interval;
    case Unit::uniform:
      return config.uniform_interval;
    case Unit::tensor:
      return instruction.small_mma ? config.mma_1688_interval : config.mma_16816_interval;
    case Unit::none:
    case Unit::constant:
    case Unit::memory:
      return 0;
  }
  return 0;
}

// Later waves replay the same traces at other addresses.
uint32_t salt_of(uint32_t wave) { return (wave * 0x0135'7913u) & 0x3fff'ffffu; }

}  // namespace

Simulator::Simulator(const LaunchTrace& launch, const SmConfig& config, ChipShare share)
    : launch_(launch), config_(config), share_(std::move(share)) {
  for (const TimedInstruction& instruction : launch.code)
    intervals_.push_back(interval_of(instruction, config));
  state_.l1 =
      make_l1(config, uint64_t{launch.shared_per_block} * static_cast<uint64_t>(launch.blocks_per_sm));
  state_.counters.stalls.resize(launch.code.size());
  fill_instruction_caches();
  if (!share_.missing.empty()) state_.memory.fetched.resize(kFetchedPieces);
  state_.memory.part_lines.resize(static_cast<size_t>(config_.store_part_lines));
}

Result<SmRun> Simulator::run(uint32_t blocks, Timeline* timeline, const std::atomic<bool>* cancelled) {
  timeline_ = timeline;
  if (timeline != nullptr) timeline->intervals = intervals_;
  const uint32_t resident = std::min(static_cast<uint32_t>(launch_.blocks_per_sm), blocks);
  state_.blocks_to_start = blocks;
  state_.live_blocks = blocks;
  uint64_t wave = 0;
  for (uint32_t b = 0; b < static_cast<uint32_t>(launch_.blocks_per_sm); ++b)
    for (const auto& warp : launch_.blocks[b % launch_.blocks.size()].warps) wave += warp.size();
  wave_instructions_ = {wave, 3 * wave};
  for (uint32_t b = 0; b < resident; ++b) {
    // Other starts of the blocks in each run.
    const double start = config_.block_launch_cycles * b * (1 + 0.37 * share_.run);
    state_.now = static_cast<uint64_t>(start);
    start_block();
  }
  state_.now = 0;
  uint64_t next_question = 0;
  while (state_.live_blocks > 0) {
    events_.take(state_.now, [&](const Event& event) { handle(event); });
    for (SubCoreState& sub_core : state_.sub_cores)
      if (sub_core.next_try <= state_.now) try_to_issue(sub_core);
    state_.now = next_cycle();
    if (state_.now >= kMostCycles)
      return fail(
          "The model's warps wait for ever after {} instructions, so this launch has no modelled time.",
          state_.counters.issued);
    if (cancelled != nullptr && state_.now >= next_question) {
      if (*cancelled) return fail("cancelled");
      next_question = state_.now + kCyclesBetweenQuestions;
    }
  }
  SmRun result;
  result.cycles = std::max(static_cast<double>(state_.now), state_.memory.store_done);
  if (wave_cycles_[1] > wave_cycles_[0])
    result.cycles_per_block =
        static_cast<double>(wave_cycles_[1] - wave_cycles_[0]) / (2.0 * launch_.blocks_per_sm);
  for (const BlockState& block : state_.blocks) result.block_ends.push_back(static_cast<double>(block.end));
  result.counters = std::move(state_.counters);
  if (timeline_ != nullptr) timeline_->cycles = static_cast<uint32_t>(std::ceil(result.cycles));
  return result;
}

uint64_t Simulator::next_cycle() const {
  const uint64_t next = state_.now + 1;
  uint64_t retry = kNever;
  for (const SubCoreState& sub_core : state_.sub_cores) retry = std::min(retry, sub_core.next_try);
  if (retry <= next) return next;
  if (retry == kNever && events_.empty()) return kMostCycles;  // nothing will ever happen
  return events_.next(next, std::min(retry, events_.horizon()));
}

void Simulator::start_block() {
  const auto number = static_cast<uint32_t>(state_.blocks.size());
  const uint32_t trace = number % static_cast<uint32_t>(launch_.blocks.size());
  const BlockTrace& source = launch_.blocks[trace];
  BlockState block;
  block.first_warp = static_cast<uint32_t>(state_.warps.size());
  block.warps = block.live = static_cast<uint32_t>(source.warps.size());
  for (const uint16_t parts : source.phase_parts) block.phases.push_back({.missing = parts});
  for (uint32_t w = 0; w < block.warps; ++w) {
    WarpState warp;
    warp.begin = warp.next = source.warps[w].data();
    warp.end = warp.begin + source.warps[w].size();
    warp.block = number;
    warp.line_salt = salt_of(number / static_cast<uint32_t>(launch_.blocks.size()));
    // Warps go round the sub-cores; a block goes on where the one before it ended.
    warp.sub_core = static_cast<uint8_t>((w + block.warps % kSubCores * (number % kSubCores)) % kSubCores);
    warp.ready = warp.issued = state_.now + static_cast<uint64_t>(config_.warp_launch_cycles * w);
    SubCoreState& sub_core = state_.sub_cores[warp.sub_core];
    sub_core.next_try = std::min(sub_core.next_try, warp.ready);
    if (timeline_ != nullptr) {
      WarpTimeline line;
      line.block = number;
      line.warp = static_cast<uint16_t>(w);
      line.sub_core = warp.sub_core;
      line.start = static_cast<uint32_t>(warp.ready);
      line.steps.reserve(source.warps[w].size());
      timeline_->warps.push_back(std::move(line));
    }
    state_.warps.push_back(warp);
    state_.gates.push_back({.asleep_until = warp.ready, .eligible_from = warp.ready});
  }
  for (uint32_t w = block.warps; w-- > 0;) {
    const uint32_t id = block.first_warp + w;
    state_.sub_cores[state_.warps[id].sub_core].warps.push_back(id);
  }
  state_.blocks.push_back(block);
  --state_.blocks_to_start;
  if (timeline_ != nullptr)
    timeline_->blocks.push_back({source.block, trace, static_cast<uint32_t>(state_.now), 0});
}

void Simulator::handle(const Event& event) {
  if (event.kind == Event::Kind::block_start) {
    --state_.blocks_reserved;
    start_block();
    return;
  }
  if (event.kind == Event::Kind::write) return begin_to_write(event);
  WarpState& warp = state_.warps[event.warp];
  SubCoreState& sub_core = state_.sub_cores[warp.sub_core];
  WarpGate& gate = state_.gates[event.warp];
  gate.asleep_until = 0;
  if (!gate.waits_for_unit) gate.eligible_from = std::max(state_.now, warp.ready);
  if (event.kind == Event::Kind::release) {
    warp.at_barrier = false;
    warp.released = state_.now;
  } else {
    Scoreboard& scoreboard = warp.scoreboards[event.scoreboard];
    if (scoreboard.count > 0) --scoreboard.count;
    scoreboard.cleared = state_.now;
    if (scoreboard.count == 0) warp.busy &= static_cast<uint8_t>(~(1u << event.scoreboard));
  }
  sub_core.next_try = std::min(sub_core.next_try, state_.now);
}

void Simulator::arrive(uint32_t id) {
  WarpState& warp = state_.warps[id];
  BlockState& block = state_.blocks[warp.block];
  warp.at_barrier = true;
  warp.deferred = config_.deferred_barriers != 0 && launch_.code[(warp.next - 1)->instruction].deferred;
  ++block.arrived;
  block.last_arrival = id;
  block.last_arrival_step = static_cast<uint32_t>(warp.next - warp.begin) - 1;
  block.arrival_free =
      std::max(static_cast<double>(state_.now), block.arrival_free) + config_.barrier_interval;
  release_if_all_arrived(block);
}

void Simulator::release_if_all_arrived(BlockState& block) {
  if (block.live == 0 || block.arrived < block.live) return;
  block.arrived = 0;
  const double release =
      std::max(block.arrival_free, static_cast<double>(state_.now)) + config_.barrier_latency;
  for (uint32_t w = block.first_warp; w < block.first_warp + block.warps; ++w)
    if (WarpState& warp = state_.warps[w]; warp.at_barrier) {
      warp.released_by = block.last_arrival;
      warp.released_by_step = block.last_arrival_step;
      push({static_cast<uint64_t>(release), w, Event::Kind::release});
    }
}

void Simulator::push(Event event) {
  event.cycle = std::max(event.cycle, state_.now + 1);
  events_.push(event);
}

void Simulator::finish_warp(uint32_t id) {
  WarpState& warp = state_.warps[id];
  SubCoreState& sub_core = state_.sub_cores[warp.sub_core];
  std::erase(sub_core.warps, id);
  if (sub_core.last == id) sub_core.last = kNone;
  BlockState& block = state_.blocks[warp.block];
  --block.live;
  if (block.live > 0) {
    release_if_all_arrived(block);
    return;
  }
  block.end = state_.now + 1;
  if (timeline_ != nullptr) timeline_->blocks[warp.block].end = static_cast<uint32_t>(state_.now) + 1;
  --state_.live_blocks;
  if (state_.blocks_reserved < state_.blocks_to_start) {
    ++state_.blocks_reserved;
    push({state_.now + static_cast<uint64_t>(config_.block_turnover_cycles), 0, Event::Kind::block_start});
  }
}

void Simulator::mark_waves() {
  for (size_t k = 0; k < wave_instructions_.size(); ++k)
    if (state_.counters.issued == wave_instructions_[k]) wave_cycles_[k] = state_.now;
}

}  // namespace gemmscope::sm
