// What an instruction does when it issues: it takes its pipe, reads registers, sets scoreboards, and its warp
// goes on.
#include <algorithm>
#include <bit>
#include <cmath>

#include "sm/register_ports.h"
#include "sm/simulator.h"
#include "sm/write_ports.h"

namespace gemmscope::sm {
namespace {

// Cycles until a read scoreboard falls of an instruction that does not go to memory (Huerta et al., MICRO
// 2025: 9-10 for constant loads).
constexpr double kSourcesReadCycles = 10;
// The same where no lane accesses memory, and until its write scoreboard falls.
constexpr double kNoLaneSources = 10, kNoLaneResult = 12;
// A branch is near when it goes back at most so many instructions: four lines of code.
constexpr uint32_t kNearBranch = 32;
// A copy group whose copies are all there.
constexpr double kEmptyCopyGroup = 4;

// The blocked cycles before cycle `at`; those that are no longer known count as not blocked.
uint32_t blocked_before(const BlockedCycles& blocked, uint64_t at) {
  if (blocked.filled == 0) return 0;
  at = std::min(at, blocked.filled - 1);
  if (at + BlockedCycles::kCycles <= blocked.filled) at = blocked.filled - BlockedCycles::kCycles;
  return blocked.before[at % BlockedCycles::kCycles];
}

void fill_blocked(BlockedCycles& blocked, uint64_t from, uint64_t until) {
  uint32_t count = blocked.filled == 0 ? 0 : blocked.before[(blocked.filled - 1) % BlockedCycles::kCycles];
  uint64_t cycle = blocked.filled;
  if (until > cycle + BlockedCycles::kCycles) cycle = until - BlockedCycles::kCycles;
  // before[c] counts the blocked cycles below c, so a blocked cycle shows in the entry after it.
  for (; cycle <= until; ++cycle) {
    if (cycle > from) ++count;
    blocked.before[cycle % BlockedCycles::kCycles] = count;
  }
  blocked.filled = until + 1;
}

}  // namespace

void Simulator::block_sub_core(SubCoreState& sub_core, uint64_t until) {
  const uint64_t from = std::max(sub_core.blocked_to, state_.now + 1);
  if (until <= from) return;
  fill_blocked(sub_core.blocked, from, until);
  sub_core.blocked_to = until;
}

void Simulator::stop_for_write(SubCoreState& sub_core) {
  const uint64_t until = stopped_for_write(sub_core.writes);
  if (until <= state_.now) return;
  sub_core.blocked_to = until;
  fill_blocked(sub_core.blocked, state_.now, sub_core.blocked_to);
}

TimelineStep* Simulator::step_of(const WarpState& warp) {
  if (timeline_ == nullptr) return nullptr;
  return &timeline_->warps[static_cast<size_t>(&warp - state_.warps.data())].steps.back();
}

// A result whose time is not known yet.
void Simulator::raise_scoreboard(uint32_t id, int index, bool is_long) {
  WarpState& warp = state_.warps[id];
  Scoreboard& scoreboard = warp.scoreboards[static_cast<size_t>(index)];
  ++scoreboard.count;
  scoreboard.is_long = is_long;
  scoreboard.setter = static_cast<uint32_t>(warp.next - warp.begin) - 1;
  warp.busy |= static_cast<uint8_t>(1u << index);
}

void Simulator::set_scoreboard(uint32_t id, int index, double time, bool is_long) {
  if (index >= kScoreboards) return;
  raise_scoreboard(id, index, is_long);
  push({static_cast<uint64_t>(time + 0.5), id, Event::Kind::result, static_cast<uint8_t>(index)});
}

// Splits the cycles since the warp's last instruction by reason.
void Simulator::account(const SubCoreState& sub_core, WarpState& warp, const TimedInstruction& instruction) {
  StallCycles& cycles = state_.counters.stalls[warp.next->instruction];
  const uint64_t now = state_.now;
  uint64_t at = warp.issued;
  const auto part = [&](uint64_t end, Stall reason) {
    if (end <= at) return;
    cycles[static_cast<size_t>(reason)] += static_cast<double>(end - at);
    at = end;
  };
  part(warp.waited, Stall::wait);
  part(warp.ready, warp.ready_reason);
  const bool stopped = stops_at_barrier(warp, instruction);
  if (stopped) part(warp.released, Stall::barrier);
  // The scoreboard that fell last.
  uint32_t waited = instruction.control.wait_mask;
  if (instruction.special == Special::depbar) waited |= 1u << instruction.scoreboard;
  const Scoreboard* latest = nullptr;
  for (; waited != 0; waited &= waited - 1) {
    const Scoreboard& scoreboard = warp.scoreboards[static_cast<size_t>(std::countr_zero(waited))];
    if (scoreboard.cleared > at && (latest == nullptr || scoreboard.cleared > latest->cleared))
      latest = &scoreboard;
  }
  const uint64_t waits_from = at;
  if (latest != nullptr)
    part(latest->cleared, latest->is_long ? Stall::long_scoreboard : Stall::short_scoreboard);
  const uint64_t results = at;
  const WarpGate& gate = state_.gates[static_cast<size_t>(&warp - state_.warps.data())];
  part(std::min(at + gate.throttled_cycles, now), gate.throttle_reason);
  const uint64_t unthrottled = at;
  const uint32_t blocked =
      std::min(static_cast<uint32_t>(now - at),
               blocked_before(sub_core.blocked, now) - blocked_before(sub_core.blocked, results));
  part(at + blocked, Stall::dispatch_stall);
  part(now, Stall::not_selected);
  cycles[static_cast<size_t>(Stall::selected)] += 1;
  if (timeline_ == nullptr) return;
  TimelineStep step;
  step.instruction = warp.next->instruction;
  step.pass = warp.next->pass;
  step.issued = step.done = static_cast<uint32_t>(now);
  step.waited = static_cast<uint32_t>(warp.waited);
  step.ready = static_cast<uint32_t>(warp.ready);
  step.released = stopped ? static_cast<uint32_t>(warp.released) : 0;
  step.results = static_cast<uint32_t>(results);
  step.unthrottled = static_cast<uint32_t>(unthrottled);
  step.blocked_cycles = static_cast<uint16_t>(std::min<uint32_t>(blocked, 0xffff));
  step.ready_reason = warp.ready_reason;
  step.throttle_reason = gate.throttle_reason;
  if (latest != nullptr && results > waits_from) {
    step.results_reason = latest->is_long ? Stall::long_scoreboard : Stall::short_scoreboard;
    step.cause = latest->setter;
    step.cause_warp = static_cast<uint16_t>(&warp - state_.warps.data());
  } else if (stopped && warp.released > warp.issued) {
    step.cause = warp.released_by_step;
    step.cause_warp = static_cast<uint16_t>(warp.released_by);
  }
  timeline_->warps[static_cast<size_t>(&warp - state_.warps.data())].steps.push_back(step);
}

// The operands of a matrix instruction take the ports for as long as it takes its pipe; what others read
// meanwhile comes first and delays it: memory instructions pass on a register a cycle (tensor.txt).
void Simulator::use_ports(SubCoreState& sub_core, const TimedInstruction& instruction, uint32_t warp) {
  const bool matrix = instruction.unit == Unit::tensor;
  if (matrix && config_.mma_ports != 0) return;
  const PortsTaken taken = read_registers(sub_core.registers, config_, instruction, warp, state_.now);
  uint64_t until = taken.until;
  if (instruction.wide_imad)
    until = std::max(until, state_.now + static_cast<uint64_t>(config_.imad_wide_slots) +
                                static_cast<uint64_t>(std::max(taken.cycles, 1) - 1));
  block_sub_core(sub_core, until);
  double& tensor_free = sub_core.unit_free[static_cast<size_t>(Unit::tensor)];
  if (config_.mma_ports != 0 && tensor_free > static_cast<double>(state_.now))
    tensor_free += instruction.unit == Unit::memory ? instruction.reads : taken.cycles;
}

void Simulator::use_unit(SubCoreState& sub_core, const TimedInstruction& instruction, size_t index) {
  const auto now = static_cast<double>(state_.now);
  const double interval = intervals_[index];
  switch (instruction.unit) {
    case Unit::fma: {
      const bool halves = config_.fma_halves > 1;
      const size_t half = halves && sub_core.fma_free[1] <= now ? 1 : 0;
      sub_core.fma_free[half] = now + interval * config_.fma_halves;
      if (!halves) sub_core.fma_free[1] = sub_core.fma_free[0];
      break;
    }
    case Unit::fma_heavy:
      sub_core.fma_free[0] = now + interval;
      if (config_.fma_halves <= 1) sub_core.fma_free[1] = sub_core.fma_free[0];
      break;
    case Unit::none:
    case Unit::memory:
    case Unit::constant:
      return;
    default: {
      double& free = sub_core.unit_free[static_cast<size_t>(instruction.unit)];
      free = std::max(free, now) + interval;
    }
  }
  state_.counters.unit_busy[static_cast<size_t>(instruction.unit)] += interval;
}

// The SM's sub-cores share what loads constants; returns when one is there.
double Simulator::load_constant(uint32_t id) {
  SubCoreState& sub_core = state_.sub_cores[state_.warps[id].sub_core];
  double& free = state_.memory.constant_free;
  const double begin = std::max(static_cast<double>(state_.now), free);
  free = begin + config_.constant_interval;
  enqueue(sub_core, {}, begin);
  return begin + config_.constant_latency;
}

// The scoreboards of an instruction that does not go to memory.
void Simulator::finish_fixed(uint32_t id, const TimedInstruction& instruction) {
  const auto now = static_cast<double>(state_.now);
  const isa::Control& control = instruction.control;
  double result = now + config_.variable_latency;
  if (instruction.unit == Unit::constant) result = load_constant(id);
  bool is_long = false;
  if (instruction.special == Special::copy_group) {
    result = std::max(now + kEmptyCopyGroup, static_cast<double>(state_.warps[id].copies_done));
    is_long = true;
  }
  if (TimelineStep* step = step_of(state_.warps[id]);
      step != nullptr && control.write_scoreboard < kScoreboards)
    step->done = static_cast<uint32_t>(result + 0.5);
  set_scoreboard(id, control.write_scoreboard, result, is_long);
  set_scoreboard(id, control.read_scoreboard, now + kSourcesReadCycles, false);
}

// The warp's next instruction: when it may issue at the earliest.
void Simulator::go_on(SubCoreState& sub_core, WarpState& warp, uint32_t issued_instruction) {
  const uint32_t next = warp.next->instruction;
  const bool jumped = next != issued_instruction + 1;
  if (jumped) {
    const bool near = next < issued_instruction && issued_instruction - next < kNearBranch;
    const uint64_t resolved =
        state_.now + static_cast<uint64_t>(near ? config_.near_branch_cycles : config_.branch_cycles);
    if (resolved > warp.ready) {
      warp.ready = resolved;
      warp.ready_reason = Stall::branch_resolving;
    }
  }
  if (config_.instruction_fetch == 0) return;
  const uint64_t fetched = state_.now + fetch_cycles(sub_core, warp, next, jumped);
  if (fetched > warp.ready) {
    warp.ready = fetched;
    warp.ready_reason = Stall::no_instruction;
  }
}

void Simulator::issue(SubCoreState& sub_core, uint32_t id) {
  const IssuedInstruction issued = *state_.warps[id].next;
  const TimedInstruction& instruction = launch_.code[issued.instruction];
  {
    WarpState& warp = state_.warps[id];
    account(sub_core, warp, instruction);
    ++warp.next;
    const uint64_t stall = config_.stall_counts != 0 ? instruction.control.stall_cycles : 1;
    const uint64_t least = instruction.control.yield && config_.yield != 0 ? 2 : 1;
    // A matrix instruction that issues ahead of its pipe begins when that is free.
    const double pipe_free =
        instruction.unit == Unit::tensor ? sub_core.unit_free[static_cast<size_t>(Unit::tensor)] : 0;
    const uint64_t begins = std::max(state_.now, static_cast<uint64_t>(pipe_free));
    warp.issued = state_.now + 1;
    warp.waited = warp.ready = begins + std::max(stall, least);
  }
  ++state_.counters.issued;
  mark_waves();
  use_unit(sub_core, instruction, issued.instruction);
  if (config_.write_wait_cycles != 0)
    note_writes(sub_core.writes, state_.now, is_fixed(instruction) ? instruction.written_banks : 0);
  const bool queued = instruction.unit == Unit::memory || instruction.unit == Unit::xu;
  if (config_.register_ports != 0 && (!queued || config_.memory_ports != 0))
    use_ports(sub_core, instruction, id);
  if (queued) {
    const bool data = instruction.memory != MemoryOp::register_only && instruction.unit == Unit::memory;
    if (data && issued.lanes == 0) {
      set_scoreboard(id, instruction.control.read_scoreboard,
                     static_cast<double>(state_.now) + kNoLaneSources, false);
      set_scoreboard(id, instruction.control.write_scoreboard,
                     static_cast<double>(state_.now) + kNoLaneResult, false);
    } else {
      access_memory(sub_core, id, instruction, issued);
    }
  } else if (instruction.special >= Special::object_arrive) {
    use_object(id, instruction, issued);
  } else {
    finish_fixed(id, instruction);
  }
  if (instruction.special == Special::barrier) arrive(id);
  WarpState& warp = state_.warps[id];
  if (warp.next == warp.end)
    finish_warp(id);
  else
    go_on(sub_core, warp, issued.instruction);
  state_.gates[id] = {.asleep_until = warp.ready, .eligible_from = warp.ready};
}

}  // namespace gemmscope::sm
