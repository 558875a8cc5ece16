// CTA barriers of a block: instructions that wait, that only arrive, and that also reduce a predicate.
#include <bit>

#include "machine/execute/block.h"
#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {

// A barrier counts threads in whole warps: if a warp has fewer live threads, the missing ones count as
// arrived together with the warp's first arrival (PTX ISA, barrier).
void Block::count_arrival(CtaBarrier& barrier, const Warp& warp, uint32_t active) {
  barrier.arrived += lane_count(active);
  const uint32_t bit = 1u << (warp.index & 31);
  if ((barrier.warps & bit) != 0) return;
  barrier.warps |= bit;
  barrier.missing += kWarpLanes - lane_count(warp.live);
}

bool Block::block_barrier(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  if (active == 0) return ++split.pc, true;
  const int lane = std::countr_zero(active);
  uint32_t id = warp.row(op.source[0])[lane], count = warp.row(op.source[1])[lane];
  if ((op.flags & kHigh) != 0) count = id >> 16 & 0xfff;
  CtaBarrier& barrier = barriers_[id & 15];
  if (count != 0) barrier.expected = count;
  count_arrival(barrier, warp, active);
  const uint32_t p = warp.predicates[op.predicate_in[0]];
  const uint32_t truth = active & (op.predicate_in_negate[0] ? ~p : p);
  barrier.truths += lane_count(truth);
  barrier.operation = op.mode;
  const bool arrive_only = (op.flags & kWide) != 0;
  warp.resume(split.pc + 1, split.mask & ~active);
  checks_.arrive(id & 15, static_cast<uint32_t>(warp.index));
  (arrive_only ? barrier.arrivals : barrier.waiters).push_back({warp.index, split.pc, active, warp.live});
  release_barrier(id & 15);
  split = {split.pc + 1, active};
  return arrive_only;
}

void Block::release_barriers() {
  for (uint32_t id = 0; id < barriers_.size(); ++id)
    if (barriers_[id].arrived != 0) release_barrier(id);
}

// Releases the waiting warps when the last expected warp arrives.
void Block::release_barrier(uint32_t id) {
  CtaBarrier& barrier = barriers_[id];
  const bool complete = barrier.expected != 0 ? barrier.arrived + barrier.missing >= barrier.expected
                                              : barrier.arrived >= live_threads_;
  if (barrier.arrived == 0 || !complete) return;
  checks_.release(id, barrier.waiters, barrier.arrived >= live_threads_ && barrier.arrivals.empty());
  const auto how = static_cast<BarrierReduction>(barrier.operation);
  const uint32_t result = how == BarrierReduction::count      ? barrier.truths
                          : how == BarrierReduction::all_true ? (barrier.truths == barrier.arrived ? 1u : 0u)
                                                              : (barrier.truths != 0 ? 1u : 0u);
  uint32_t released = 0;
  for (const CtaBarrier::Waiter& waiter : barrier.waiters) {
    released |= 1u << waiter.warp;
    Warp& warp = warps_[static_cast<size_t>(waiter.warp)];
    if (how != BarrierReduction::none) warp.barrier_result = result;
    warp.resume(waiter.pc + 1, waiter.mask);
  }
  if (issues_ != nullptr) issues_->on_release(released);
  barrier.clear();
}

// B2R.RESULT: gives the result of this warp's last reducing barrier, as a number and as a predicate.
void Block::read_barrier_result(Warp& warp, const MicroOp& op, uint32_t active) {
  for (uint32_t left = active; left != 0; left &= left - 1)
    warp.row(op.destination)[std::countr_zero(left)] = warp.barrier_result;
  uint32_t& p = warp.predicates[op.predicate_out[0]];
  p = (p & ~active) | (warp.barrier_result != 0 ? active : 0);
}

}  // namespace gemmscope::machine
