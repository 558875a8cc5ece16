// Decides which warp of a block runs next: one warp until it waits, or all of them in turn. Counts how often
// each instruction was issued.
#include <algorithm>
#include <bit>
#include <utility>

#include "machine/execute/block.h"

namespace gemmscope::machine {
namespace {

uint32_t guarded_lanes(const Warp& warp, const MicroOp& op) {
  const uint32_t guard = warp.predicates[op.guard];
  return op.guard_negate ? ~guard : guard;
}

}  // namespace

void Block::run_warps(Schedule schedule) {
  for (;;) {
    bool progress = false, alive = false;
    for (Warp& warp : warps_) {
      alive |= warp.live != 0;
      if (warp.ready.empty()) continue;
      progress |= schedule == Schedule::round_robin ? step_warp(warp) : run_warp(warp);
      if (fault_) return;
    }
    if (!alive) return;
    if (!progress) return raise_deadlock();
    if (limits_.cancelled != nullptr && limits_.cancelled->load(std::memory_order_relaxed))
      return raise(FaultKind::cancelled, nullptr, 0, -1, 0, "cancelled");
  }
}

// Executes a run of instructions: lane functions and accesses without a guard. Nothing has to be decided
// between them, and they are counted together. Returns false after a fault.
bool Block::run_instructions(Warp& warp, Split& split) {
  const MicroOp* const ops = program_.ops.data();
  const uint32_t first = split.pc, end = first + ops[first].run_length;
  uint32_t* const predicates = warp.predicates.data();
  Entered& entered = entered_[first];
  entered.warps += 1;
  entered.threads += lane_count(split.mask);
  report_issues(warp, split, split.mask, ops[first].run_length);
  split.pc = end;
  for (uint32_t pc = first; pc != end; ++pc) {
    const MicroOp& op = ops[pc];
    if (op.action == Action::lanes) {
      op.lane(warp.rows, predicates, op, op.uniform ? kAllLanes : split.mask);
    } else if (op.leader != 0 && pc - first >= op.leader && split.mask == kAllLanes &&
               load_after_leader(warp, op, pc)) {
      continue;
    } else if (!access(warp, op, pc, split.mask)) {
      return false;
    }
  }
  return true;
}

// Counts the operations of each run of instructions as often as it was entered.
void Block::count_runs() {
  for (size_t pc = 0; pc < entered_.size(); ++pc) {
    const Entered entered = std::exchange(entered_[pc], {});
    const size_t end = entered.warps == 0 ? pc : pc + program_.ops[pc].run_length;
    for (size_t i = pc; i < end; ++i) {
      counts_.warps[i] += entered.warps;
      counts_.threads[i] += entered.threads;
    }
  }
}

// Returns true if the lanes of `split` go on; false if they wait or have ended, or after a fault.
bool Block::issue(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  ++counts_.warps[split.pc];
  counts_.threads[split.pc] += lane_count(active);
  if (op.action != Action::lanes) return execute(warp, op, split, active) && split.mask != 0 && !fault_;
  if (active != 0) op.lane(warp.rows, warp.predicates.data(), op, op.uniform ? kAllLanes : active);
  ++split.pc;
  return true;
}

void Block::run_past_end(const Warp& warp, const Split& split) {
  raise(FaultKind::bad_jump, &warp, split.pc, std::countr_zero(split.mask), 0,
        "execution ran past the end of the code");
}

bool Block::run_warp(Warp& warp) {
  const MicroOp* const ops = program_.ops.data();
  const auto op_count = static_cast<uint32_t>(program_.ops.size());
  bool moves = false;
  for (size_t waiting = 0; waiting < warp.ready.size();) {
    Split split = warp.ready.back();
    warp.ready.pop_back();
    for (;;) {
      if (split.pc >= op_count) return run_past_end(warp, split), true;
      const MicroOp& op = ops[split.pc];
      if (op.action == Action::object_test && waits_for_phase(warp, split)) {
        if (fault_) return true;
        ++waiting;
        break;
      }
      moves = true;
      waiting = 0;
      if (op.run_length != 0) {
        if (run_instructions(warp, split)) continue;
        return true;
      }
      const uint32_t active = split.mask & guarded_lanes(warp, op);
      report_issues(warp, split, active, 1);
      if (issue(warp, op, split, active)) continue;
      if (fault_ || std::exchange(warp.turn_ended, false)) return true;
      break;
    }
  }
  return moves;
}

// Reports `count` instructions in a row, from the program counter of `split` on.
void Block::report_issues(const Warp& warp, const Split& split, uint32_t active, uint32_t count) {
  if (issues_ != nullptr)
    issues_->on_issues({split.pc, static_cast<uint16_t>(warp.index), split.mask, active}, count);
}

bool Block::step_warp(Warp& warp) {
  Split split;
  for (size_t waiting = 0;;) {
    split = warp.ready.back();
    warp.ready.pop_back();
    if (split.pc >= program_.ops.size()) return run_past_end(warp, split), true;
    if (program_.ops[split.pc].action != Action::object_test || !waits_for_phase(warp, split)) break;
    if (fault_ || ++waiting == warp.ready.size()) return fault_.has_value();
  }
  const MicroOp& op = program_.ops[split.pc];
  const uint32_t active = split.mask & guarded_lanes(warp, op);
  ++issued_;
  report_issues(warp, split, active, 1);
  if (issue(warp, op, split, active)) {
    warp.ready.push_back(split);
  } else {
    warp.turn_ended = false;
  }
  return true;
}

}  // namespace gemmscope::machine
