// Which warp of a sub-core issues: the one that issued last; else, of those that have been eligible for some
// cycles, one of the oldest block, in it the last warp (tests/calibration/microbench, block_order.txt and
// order.txt); else the one that has been eligible longest. Without these cycles, warps that wait for their
// own results take turns among the first until these end (blocks_and_sms: 10 to 19 % too slow).
#include <algorithm>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

// When the instruction's pipe takes another one.
double unit_free(const SubCoreState& sub_core, Unit unit) {
  if (unit == Unit::fma) return std::min(sub_core.fma_free[0], sub_core.fma_free[1]);
  if (unit == Unit::fma_heavy) return sub_core.fma_free[0];
  return sub_core.unit_free[static_cast<size_t>(unit)];
}

uint64_t throttle(WarpGate& gate, uint64_t now, uint64_t until, Stall reason) {
  gate.throttled_cycles += until - std::min(until, std::max(now, gate.throttled));
  gate.throttle_reason = reason;
  return gate.throttled = until;
}

}  // namespace

// Whether the warp has all that it waits for by itself. This stays so until it issues.
bool Simulator::has_results(uint32_t id) {
  const WarpState& warp = state_.warps[id];
  WarpGate& gate = state_.gates[id];
  const TimedInstruction& instruction = launch_.code[warp.next->instruction];
  const bool stopped = warp.at_barrier && stops_at_barrier(warp, instruction);
  const bool waits = stopped || (instruction.control.wait_mask & warp.busy) != 0 ||
                     (instruction.special == Special::depbar &&
                      warp.scoreboards[instruction.scoreboard].count > instruction.scoreboard_count);
  if (warp.ready > state_.now || waits) {
    gate.asleep_until = warp.ready > state_.now && !stopped ? warp.ready : kNever;
    return false;
  }
  gate.waits_for_unit = true;
  gate.unit = instruction.unit;
  gate.queue_stall = instruction.global() ? Stall::lg_throttle : Stall::mio_throttle;
  return true;
}

// Whether the warp, which is awake, can issue now; else its gate says why not. Returns 0, or the cycle before
// which asking again is of no use.
inline uint64_t Simulator::busy_until(const SubCoreState& sub_core, uint32_t id) {
  WarpGate& gate = state_.gates[id];
  if (!gate.waits_for_unit && !has_results(id)) return gate.asleep_until;
  if (gate.unit != Unit::memory) {
    const double ahead = gate.unit == Unit::tensor ? config_.mma_ahead_cycles : 0;
    const double free = unit_free(sub_core, gate.unit) - ahead;
    // A fraction of a cycle does not delay the issue, so that intervals keep their fraction on average.
    if (free >= static_cast<double>(state_.now + 1)) {
      throttle(gate, state_.now, static_cast<uint64_t>(free), Stall::math_pipe_throttle);
      // An FFMA may take the heavy unit before that; no other pipe is taken before it is free.
      if (gate.unit != Unit::fma_heavy) gate.asleep_until = gate.throttled;
      return gate.throttled;
    }
    if (gate.unit != Unit::xu && gate.unit != Unit::constant) return 0;
  }
  const MemoryQueue& queue =
      gate.queue_stall == Stall::lg_throttle ? sub_core.global_queue : sub_core.shared_queue;
  if (queue.full_until <= state_.now) return 0;
  return gate.asleep_until = throttle(gate, state_.now, queue.full_until, gate.queue_stall);
}

// `retry`: asking before this cycle is of no use.
uint32_t Simulator::choose_warp(SubCoreState& sub_core, uint64_t& retry) {
  const uint64_t now = state_.now;
  uint64_t soonest = kNever;
  const uint32_t last = config_.greedy != 0 ? sub_core.last : kNone;
  if (last != kNone) {
    const uint64_t asleep = state_.gates[last].asleep_until;
    soonest = asleep > now ? asleep : busy_until(sub_core, last);
    if (soonest == 0) return last;
  }
  const auto preferred_after = static_cast<uint64_t>(config_.eligible_cycles);
  const std::vector<uint32_t>& warps = sub_core.warps;
  const bool oldest_first = config_.oldest_first != 0;
  uint32_t waits_longest = kNone;
  uint64_t longest_since = 0;
  for (size_t k = 0; k < warps.size(); ++k) {
    const uint32_t warp = warps[oldest_first ? k : warps.size() - 1 - k];
    const uint64_t asleep = state_.gates[warp].asleep_until;
    if (asleep > now) {
      soonest = std::min(soonest, asleep);
      continue;
    }
    if (warp == last) continue;
    if (const uint64_t busy = busy_until(sub_core, warp); busy != 0) {
      soonest = std::min(soonest, busy);
      continue;
    }
    const uint64_t since = state_.gates[warp].eligible_from;
    if (since + preferred_after <= now) return warp;
    if (waits_longest == kNone || since < longest_since) {
      waits_longest = warp;
      longest_since = since;
    }
  }
  retry = soonest;
  return waits_longest;
}

void Simulator::try_to_issue(SubCoreState& sub_core) {
  uint64_t retry = kNever;
  const WritePorts& writes = sub_core.writes;
  if (writes.next < writes.words.size()) write_waiting(sub_core, state_.now);
  const uint32_t warp = sub_core.selected != kNone ? sub_core.selected : choose_warp(sub_core, retry);
  if (warp == kNone) {
    sub_core.next_try = std::max(retry, state_.now + 1);
    if (writes.next < writes.words.size()) write_waiting(sub_core, sub_core.next_try);
    return;
  }
  if (sub_core.blocked_to <= state_.now && writes.first < writes.words.size()) stop_for_write(sub_core);
  if (sub_core.blocked_to > state_.now) {
    sub_core.selected = warp;
    sub_core.next_try = sub_core.blocked_to;
    write_waiting(sub_core, sub_core.next_try);
    return;
  }
  sub_core.selected = kNone;
  if (config_.reuse_cache_per_warp != 0 && sub_core.last != warp) sub_core.registers.cache = {};
  sub_core.last = warp;
  sub_core.next_try = state_.now + 1;
  issue(sub_core, warp);
}

}  // namespace gemmscope::sm
