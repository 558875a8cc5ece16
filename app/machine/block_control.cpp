// Branches, exits and CTA barriers of a block.
#include <bit>

#include "machine/block.h"

namespace gemmscope::machine {

bool Block::branch(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  if (--branches_left_ == 0) {
    raise(FaultKind::budget_exhausted, &warp, split.pc, std::countr_zero(split.mask), 0,
          "the branch budget is used up: this looks like an endless loop");
    return false;
  }
  // The interval is long enough to cost nothing and short enough that a cancelled run ends within
  // milliseconds.
  if ((branches_left_ & 0xffff) == 0 && limits_.cancelled != nullptr &&
      limits_.cancelled->load(std::memory_order_relaxed)) {
    raise(FaultKind::cancelled, &warp, split.pc, std::countr_zero(split.mask), 0, "cancelled");
    return false;
  }
  const uint32_t p = warp.predicates[op.predicate_in[0]];
  uint32_t taken = active & (op.predicate_in_negate[0] ? ~p : p);
  if (op.mode == 1 && taken != split.mask) taken = 0;
  if (op.mode >= 2) {
    uint32_t lanes = warp.row(op.source[0])[0];
    if (op.modifier[0] == SourceModifier::bit_not) lanes = ~lanes;
    const bool diverged = (lanes & warp.live) != split.mask;
    if (diverged != (op.mode == 2)) taken = 0;
  }
  const auto target = static_cast<uint32_t>(op.offset);
  const uint32_t stay = split.mask & ~taken;
  if (taken == 0) {
    ++split.pc;
  } else if (stay == 0) {
    split.pc = target;
  } else if (target > split.pc) {
    // Those that skip ahead wait; those that stay behind are likely to come to the same place.
    warp.resume(target, taken);
    split = {split.pc + 1, stay};
  } else {
    warp.resume(split.pc + 1, stay);
    split = {target, taken};
  }
  return true;
}

bool Block::jump_register(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  if (active == 0) return ++split.pc, true;
  const uint32_t* low = warp.row(op.source[0]);
  const uint32_t* high = low + kWarpLanes;
  warp.resume(split.pc + 1, split.mask & ~active);
  const bool relative_32 = (op.flags & kSigned) != 0;
  const int64_t next = (static_cast<int64_t>(split.pc) + 1) * isa::kInstructionBytes;
  uint32_t left = active;
  Split first{};
  while (left != 0) {
    const int lane = std::countr_zero(left);
    const auto address_of = [&](int l) {
      if (relative_32) return (next + op.offset + static_cast<int32_t>(low[l])) & 0xffffffff;
      return static_cast<int64_t>(static_cast<uint64_t>(high[l]) << 32 | low[l]) + op.offset;
    };
    const int64_t address = address_of(lane);
    uint32_t same = 0;
    for (int l = 0; l < kWarpLanes; ++l)
      if ((left >> l & 1u) != 0 && address_of(l) == address) same |= 1u << l;
    left &= ~same;
    if (address < 0 || address % isa::kInstructionBytes != 0 ||
        address / isa::kInstructionBytes >= static_cast<int64_t>(program_.ops.size())) {
      raise(FaultKind::bad_jump, &warp, split.pc, lane, static_cast<uint64_t>(address),
            "a jump to an address outside the kernel's code");
      return false;
    }
    const Split way{static_cast<uint32_t>(address / isa::kInstructionBytes), same};
    if (first.mask == 0) {
      first = way;
    } else {
      warp.resume(way.pc, way.mask);
    }
  }
  split = first;
  return true;
}

bool Block::exit(Warp& warp, const MicroOp&, Split& split, uint32_t leaving) {
  warp.live &= ~leaving;
  live_threads_ -= static_cast<uint32_t>(std::popcount(leaving));
  warp.release_parked();
  release_barriers();
  split.mask &= ~leaving;
  ++split.pc;
  return split.mask != 0;
}

bool Block::block_barrier(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  if (active == 0) return ++split.pc, true;
  const int lane = std::countr_zero(active);
  uint32_t id = warp.row(op.source[0])[lane], count = warp.row(op.source[1])[lane];
  if ((op.flags & kHigh) != 0) count = id >> 16 & 0xfff;
  CtaBarrier& barrier = barriers_[id & 15];
  if (count != 0) barrier.expected = count;
  barrier.arrived += static_cast<uint32_t>(std::popcount(active));
  const bool arrive_only = (op.flags & kWide) != 0;
  warp.resume(split.pc + 1, split.mask & ~active);
  if (!arrive_only) barrier.waiters.push_back({warp.index, split.pc + 1, active});
  release_barriers();
  split = {split.pc + 1, active};
  return arrive_only;
}

void Block::release_barriers() {
  for (CtaBarrier& barrier : barriers_) {
    const uint32_t needed = barrier.expected != 0 ? barrier.expected : live_threads_;
    if (barrier.arrived == 0 || barrier.arrived < needed) continue;
    for (const CtaBarrier::Waiter& waiter : barrier.waiters)
      warps_[static_cast<size_t>(waiter.warp)].resume(waiter.pc, waiter.mask);
    barrier.arrived = barrier.expected = 0;
    barrier.waiters.clear();
  }
}

}  // namespace gemmscope::machine
