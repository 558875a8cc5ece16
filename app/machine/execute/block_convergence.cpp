// How the lanes of a warp part and meet again: convergence barriers, WARPSYNC and YIELD.
#include <bit>

#include "machine/execute/block.h"

namespace gemmscope::machine {

// True: the lanes of `split` go on; false: they wait. `chosen`: the active lanes whose predicate holds.
bool Block::converge(Warp& warp, const MicroOp& op, Split& split, uint32_t active, uint32_t chosen) {
  uint32_t& barrier = warp.convergence[op.immediate];
  switch (op.action) {
    case Action::converge_set:
      if (chosen != 0) barrier = chosen;
      break;
    case Action::converge_break:
      barrier &= ~chosen;
      warp.release_parked();
      break;
    case Action::converge_save:
      for (uint32_t l = 0; l < kWarpLanes; ++l)
        if ((active >> l & 1u) != 0) warp.row(op.destination)[l] = barrier;
      if (active != 0 && (op.flags & kWide) != 0) barrier = 0;
      break;
    case Action::converge_restore:
      if (active != 0) barrier = warp.row(op.source[0])[std::countr_zero(active)];
      break;
    default:  // converge_wait
      if (chosen == 0) break;
      warp.resume(split.pc + 1, split.mask & ~chosen);
      warp.park(Parked::Until::barrier, op.immediate, split.pc + 1, chosen);
      return false;
  }
  ++split.pc;
  return true;
}

// True where all lanes that the instruction names are here already.
bool Block::warp_sync(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  const uint32_t next = split.pc + 1;
  const uint32_t lanes = active == 0 ? 0 : warp.row(op.source[0])[std::countr_zero(active)];
  if ((lanes & warp.live & ~active) == 0) return ++split.pc, true;
  for (const Parked& other : warp.parked)
    if (other.until == Parked::Until::lanes && other.what == lanes && other.pc != next)
      checks_.lanes_meet_apart(static_cast<uint32_t>(warp.index), {other.pc, other.mask}, {next, active});
  warp.resume(next, split.mask & ~active);
  warp.park(Parked::Until::lanes, lanes, next, active);
  return false;
}

// Lets the warp's other lanes go first, where there are any.
bool Block::yield(Warp& warp, Split& split) {
  ++split.pc;
  if (warp.ready.empty()) return true;
  warp.ready.insert(warp.ready.begin(), split);
  return false;
}

}  // namespace gemmscope::machine
