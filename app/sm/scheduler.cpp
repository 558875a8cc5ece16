// Which warp of a sub-core issues: the one that issued last; else the youngest that can and has rested
// (Huerta et al., MICRO 2025: the youngest); else the one that waits longest. Without the rest, warps that
// wait for their own results take turns among the youngest until these end (blocks_and_sms: 10 to 19 % too
// slow).
#include <algorithm>
#include <cmath>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

bool uses_queue(const TimedInstruction& instruction) {
  return instruction.unit == Unit::memory || instruction.unit == Unit::xu;
}

// When the instruction's pipe takes another one.
double unit_free(const SubCoreState& sub_core, Unit unit) {
  if (unit == Unit::fma) return std::min(sub_core.fma_free[0], sub_core.fma_free[1]);
  if (unit == Unit::fma_heavy) return sub_core.fma_free[0];
  return sub_core.unit_free[static_cast<size_t>(unit)];
}

}  // namespace

// `retry`: asking before this cycle is of no use.
bool Simulator::can_issue(uint32_t id, uint64_t& retry) {
  WarpState& warp = state_.warps[id];
  if (warp.at_barrier) {
    retry = kNever;
    return false;
  }
  if (warp.ready > state_.now) {
    retry = warp.ready;
    return false;
  }
  const TimedInstruction& instruction = launch_.code[warp.next->instruction];
  if ((instruction.control.wait_mask & warp.busy) != 0) {
    retry = kNever;
    return false;
  }
  if (instruction.special == Special::depbar &&
      warp.scoreboards[instruction.scoreboard].count > instruction.scoreboard_count) {
    retry = kNever;
    return false;
  }
  const SubCoreState& sub_core = state_.sub_cores[warp.sub_core];
  const double free = unit_free(sub_core, instruction.unit);
  // A fraction of a cycle does not delay the issue, so that intervals keep their fraction on average.
  if (free >= static_cast<double>(state_.now) + 1) {
    warp.throttled = retry = static_cast<uint64_t>(free);
    warp.throttle_reason = Stall::math_pipe_throttle;
    return false;
  }
  if (uses_queue(instruction) && queue_full(sub_core, instruction)) {
    const MemoryQueue& queue = instruction.global() ? sub_core.global_queue : sub_core.shared_queue;
    warp.throttled = retry = static_cast<uint64_t>(std::ceil(queue.leaves[queue.oldest]));
    warp.throttle_reason = instruction.global() ? Stall::lg_throttle : Stall::mio_throttle;
    return false;
  }
  return true;
}

uint32_t Simulator::choose_warp(SubCoreState& sub_core, uint64_t& retry) {
  retry = kNever;
  uint64_t own = kNever;
  const bool greedy = config_.greedy != 0;
  if (greedy && sub_core.last != kNone) {
    if (can_issue(sub_core.last, own)) return sub_core.last;
    retry = own;
  }
  const size_t count = sub_core.warps.size();
  const auto rest = static_cast<uint64_t>(config_.rest_cycles);
  uint32_t waits_longest = kNone;
  for (size_t k = 0; k < count; ++k) {
    const uint32_t warp = sub_core.warps[config_.youngest_first != 0 ? count - 1 - k : k];
    if (greedy && warp == sub_core.last) continue;
    if (!can_issue(warp, own)) {
      retry = std::min(retry, own);
      continue;
    }
    const uint64_t issued = state_.warps[warp].issued;
    if (issued + rest <= state_.now) return warp;
    if (waits_longest == kNone || issued < state_.warps[waits_longest].issued) waits_longest = warp;
  }
  return waits_longest;
}

void Simulator::try_to_issue(SubCoreState& sub_core) {
  uint64_t retry = kNever;
  const uint32_t warp = sub_core.selected != kNone ? sub_core.selected : choose_warp(sub_core, retry);
  if (warp == kNone) {
    sub_core.next_try = std::max(retry, state_.now + 1);
    return;
  }
  if (sub_core.blocked_to > state_.now) {
    sub_core.selected = warp;
    sub_core.next_try = sub_core.blocked_to;
    return;
  }
  sub_core.selected = kNone;
  if (config_.reuse_cache_per_warp != 0 && sub_core.last != warp) sub_core.registers.cache = {};
  sub_core.last = warp;
  sub_core.next_try = state_.now + 1;
  issue(sub_core, warp);
}

}  // namespace gemmscope::sm
