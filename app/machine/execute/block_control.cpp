// Branches, exits, jumps and turns of a block's warps.
#include <fmt/format.h>

#include <bit>

#include "machine/execute/block.h"

namespace gemmscope::machine {

// What decides where the lanes of `split` go on, or whether they do.
bool Block::execute_control(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  const uint32_t p = warp.predicates[op.predicate_in[0]];
  const uint32_t chosen = active & (op.predicate_in_negate[0] ? ~p : p);
  switch (op.action) {
    case Action::branch:
      return branch(warp, op, split, chosen);
    case Action::call:
      return call(warp, op, split, active);
    case Action::jump_register:
      return spend_branch(warp, split) && jump_register(warp, op, split, active);
    case Action::exit:
      return exit(warp, split, chosen);
    case Action::warp_sync:
      return warp_sync(warp, op, split, active);
    case Action::yield:
      return yield(warp, split);
    case Action::sleep:
      ++split.pc;
      return active == 0 || end_turn(warp, split);
    default:
      return converge(warp, op, split, active, chosen);
  }
}

// False after a fault: the budget is used up, or the run was cancelled.
bool Block::spend_branch(const Warp& warp, const Split& split) {
  if (--branches_left_ == 0) {
    raise(FaultKind::budget_exhausted, &warp, split.pc, std::countr_zero(split.mask), 0,
          fmt::format(
              "the block has used up its budget of {} branches: this looks like an endless loop, or a loop "
              "that waits for something that never happens. Warps of a block take turns, but a block cannot "
              "wait for another one: blocks run one after another",
              limits_.branch_budget));
    return false;
  }
  // Looks once in 65,536 branches: rarely enough to cost nothing, and often enough that a cancelled run ends
  // within milliseconds.
  if ((branches_left_ & 0xffff) == 0 && limits_.cancelled != nullptr &&
      limits_.cancelled->load(std::memory_order_relaxed)) {
    raise(FaultKind::cancelled, &warp, split.pc, std::countr_zero(split.mask), 0, "cancelled");
    return false;
  }
  return true;
}

// The lanes of `split` let the warp's other lanes and the other warps go first. Always returns false: the
// split does not go on now.
bool Block::end_turn(Warp& warp, const Split& split) {
  warp.branches_left = kBranchesPerTurn;
  warp.turn_ended = true;
  warp.ready.insert(warp.ready.begin(), split);
  return false;
}

// `taken`: the active lanes whose predicate holds.
bool Block::branch(Warp& warp, const MicroOp& op, Split& split, uint32_t taken) {
  if (!spend_branch(warp, split)) return false;
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
    // The lanes that jump ahead wait: the others are likely to reach the same place.
    warp.resume(target, taken);
    split = {split.pc + 1, stay};
  } else {
    warp.resume(split.pc + 1, stay);
    split = {target, taken};
  }
  return --warp.branches_left != 0 || end_turn(warp, split);
}

bool Block::call(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  if (active == 0) return ++split.pc, true;
  if (!spend_branch(warp, split)) return false;
  warp.resume(split.pc + 1, split.mask & ~active);
  split = {static_cast<uint32_t>(op.offset), active};
  return true;
}

bool Block::jump_register(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  if (active == 0) return ++split.pc, true;
  const uint32_t* low = warp.row(op.source[0]);
  const uint32_t* high = low + kWarpLanes;
  warp.resume(split.pc + 1, split.mask & ~active);
  const bool relative_32 = (op.flags & kSigned) != 0;
  const uint64_t code_start = (op.flags & kHigh) != 0 ? kCodeWindow : 0;
  const int64_t next = (static_cast<int64_t>(split.pc) + 1) * isa::kInstructionBytes;
  uint32_t left = active;
  Split first{};
  while (left != 0) {
    const int lane = std::countr_zero(left);
    const auto address_of = [&](int l) {
      if (relative_32) return (next + op.offset + static_cast<int32_t>(low[l])) & 0xffffffff;
      // Added as unsigned numbers: a register may hold anything, and the sum may wrap.
      return static_cast<int64_t>((static_cast<uint64_t>(high[l]) << 32 | low[l]) - code_start +
                                  static_cast<uint64_t>(op.offset));
    };
    const int64_t address = address_of(lane);
    uint32_t same = 0;
    for (int l = 0; l < kWarpLanes; ++l)
      if ((left >> l & 1u) != 0 && address_of(l) == address) same |= 1u << l;
    left &= ~same;
    if (address < 0 || address % isa::kInstructionBytes != 0 ||
        address / isa::kInstructionBytes >= static_cast<int64_t>(program_.ops.size()))
      return refuse_jump(warp, split.pc, lane, static_cast<uint64_t>(address) + code_start);
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

bool Block::refuse_jump(const Warp& warp, uint32_t pc, int lane, uint64_t address) {
  const auto external = program_.external_functions.find(address);
  if (external != program_.external_functions.end()) {
    raise(FaultKind::unsupported_instruction, &warp, pc, lane, address,
          fmt::format(
              "it calls {}, a function of the driver, which is not part of the kernel's code: take printf, "
              "assert, malloc and free out of the kernel to run it here",
              external->second));
  } else {
    raise(FaultKind::bad_jump, &warp, pc, lane, address, "a jump to an address outside the kernel's code");
  }
  return false;
}

void Block::code_address(Warp& warp, const MicroOp& op, uint32_t active) {
  const uint64_t address = kCodeWindow + static_cast<uint64_t>(op.offset);
  uint32_t* const d = warp.row(op.destination);
  for (; active != 0; active &= active - 1) {
    const int l = std::countr_zero(active);
    d[l] = static_cast<uint32_t>(address);
    d[kWarpLanes + l] = static_cast<uint32_t>(address >> 32);
  }
}

// Clocks and timers. When warps take turns, the time is the number of instructions that the block has issued.
// Otherwise it is a number that grows with every branch and every read, so that a loop that waits for a time
// ends.
void Block::read_clock(Warp& warp, const MicroOp& op, uint32_t active) {
  const uint64_t branches = limits_.branch_budget - branches_left_;
  const uint64_t now = issued_ != 0 ? issued_ : branches + ++clock_reads_;
  if (op.uniform) active = kAllLanes;
  uint32_t* const d = warp.row(op.destination);
  for (; active != 0; active &= active - 1) {
    const int l = std::countr_zero(active);
    d[l] = static_cast<uint32_t>((op.flags & kHigh) != 0 ? now >> 32 : now);
    if ((op.flags & kWide) != 0) d[kWarpLanes + l] = static_cast<uint32_t>(now >> 32);
  }
}

bool Block::exit(Warp& warp, Split& split, uint32_t leaving) {
  warp.live &= ~leaving;
  live_threads_ -= static_cast<uint32_t>(std::popcount(leaving));
  if (warp.live == 0) {
    checks_.warp_exited(static_cast<uint32_t>(warp.index));
    if (issues_ != nullptr) issues_->on_exit(static_cast<uint32_t>(warp.index));
  }
  warp.release_parked();
  release_barriers();
  split.mask &= ~leaving;
  ++split.pc;
  return split.mask != 0;
}

}  // namespace gemmscope::machine
