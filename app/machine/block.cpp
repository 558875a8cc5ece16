#include "machine/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "isa/disassemble.h"
#include "machine/lane_ops.h"

namespace gemmscope::machine {
namespace {

constexpr size_t kRowAlignment = 64;

uint64_t lane_count(uint32_t mask) {
  return mask == kAllLanes ? kWarpLanes : static_cast<uint64_t>(std::popcount(mask));
}

uint32_t guarded_lanes(const Warp& warp, const MicroOp& op) {
  const uint32_t guard = warp.predicates[op.guard];
  return op.guard_negate ? ~guard : guard;
}

}  // namespace

void InstructionCounts::add(const InstructionCounts& other) {
  for (size_t i = 0; i < warps.size(); ++i) warps[i] += other.warps[i], threads[i] += other.threads[i];
}
uint64_t InstructionCounts::total_warps() const {
  uint64_t sum = 0;
  for (uint64_t n : warps) sum += n;
  return sum;
}

Block::Block(const Program& program, GlobalMemory& memory, InstructionCounts& counts, BlockLimits limits,
             CheckMode mode)
    : program_(program),
      memory_(memory),
      lane_memory_(lane_ops().memory),
      counts_(counts),
      limits_(limits),
      checks_(program, mode) {
  const size_t warp_count = (program.launch.threads_per_block() + kWarpLanes - 1) / kWarpLanes;
  const size_t words_per_warp = program.row_count() * kWarpLanes;
  row_storage_.resize(warp_count * words_per_warp + kRowAlignment / sizeof(uint32_t));
  const auto address = reinterpret_cast<uintptr_t>(row_storage_.data());
  rows_ = row_storage_.data() + (kRowAlignment - address % kRowAlignment) % kRowAlignment / sizeof(uint32_t);
  warps_.resize(warp_count);
  for (size_t w = 0; w < warp_count; ++w) {
    warps_[w].index = static_cast<int>(w);
    warps_[w].rows = rows_ + w * words_per_warp;
    for (size_t c = 0; c < program.constants.size(); ++c)
      std::copy(program.constants[c].begin(), program.constants[c].end(),
                warps_[w].row(static_cast<Row>(kConstantRow + c)));
  }
  shared_.resize(program.shared_bytes);
  entered_.resize(program.ops.size());
  load_places_.resize(program.ops.size());
}
Block::~Block() = default;

void Block::start(std::array<uint32_t, 3> block_index) {
  index_ = block_index;
  fault_.reset();
  branches_left_ = limits_.branch_budget;
  std::fill(shared_.begin(), shared_.end(), std::byte{0});
  for (CtaBarrier& barrier : barriers_) barrier = {};
  live_threads_ = program_.launch.threads_per_block();
  for (Warp& warp : warps_) start_warp(warp);
  checks_.start(block_index);
}

// Registers are undefined on the hardware; here they start as zero, so that runs repeat exactly.
void Block::start_warp(Warp& warp) {
  const uint32_t first = static_cast<uint32_t>(warp.index) * kWarpLanes;
  const uint32_t count = std::min<uint32_t>(kWarpLanes, program_.launch.threads_per_block() - first);
  warp.live = count == kWarpLanes ? kAllLanes : (1u << count) - 1;
  warp.predicates.fill(0);
  warp.predicates[7] = warp.predicates[kUniformPredicate + 7] = kAllLanes;
  warp.convergence.fill(0);
  warp.parked.clear();
  warp.ready.assign(1, {0, warp.live});
  warp.local.clear();
  warp.barrier_result = 0;
  warp.branches_left = kBranchesPerTurn;
  warp.turn_ended = false;
  // Of the registers, only those that the code can name.
  constexpr size_t kRowBytes = kWarpLanes * sizeof(uint32_t);
  std::memset(warp.row(0), 0, program_.register_rows * kRowBytes);
  std::memset(warp.row(kUniformRow), 0, (kTrashRow - kUniformRow) * kRowBytes);
  const std::array<uint32_t, 3>& shape = program_.launch.block;
  for (uint32_t l = 0; l < kWarpLanes; ++l) {
    const uint32_t t = first + l, x = t % shape[0], y = t / shape[0] % shape[1],
                   z = t / (shape[0] * shape[1]);
    warp.row(kTidX)[l] = x;
    warp.row(kTidY)[l] = y;
    warp.row(kTidZ)[l] = z;
    warp.row(kTidPacked)[l] = x | y << 16 | z << 26;
    warp.row(kCtaIdX)[l] = index_[0];
    warp.row(kCtaIdY)[l] = index_[1];
    warp.row(kCtaIdZ)[l] = index_[2];
    warp.row(kLaneId)[l] = l;
    warp.row(kVirtualId)[l] = static_cast<uint32_t>(warp.index) << 8;
  }
}

std::optional<Fault> Block::run(std::array<uint32_t, 3> block_index, Schedule schedule, Observer* observer) {
  observer_ = observer;
  start(block_index);
  run_warps(schedule);
  count_runs();
  checks_.finish();
  return fault_;
}

void Block::run_warps(Schedule schedule) {
  for (;;) {
    bool progress = false, alive = false;
    for (Warp& warp : warps_) {
      alive |= warp.live != 0;
      if (warp.ready.empty()) continue;
      progress = true;
      if (schedule == Schedule::round_robin) {
        step_warp(warp);
      } else {
        run_warp(warp);
      }
      if (fault_) return;
    }
    if (!alive) return;
    if (!progress) return raise_deadlock();
    if (limits_.cancelled != nullptr && limits_.cancelled->load(std::memory_order_relaxed))
      return raise(FaultKind::cancelled, nullptr, 0, -1, 0, "cancelled");
  }
}

// Lane functions in a row, none with a guard: there is nothing to decide between them, and one count does for
// all.
void Block::run_lanes(Warp& warp, Split& split) {
  const MicroOp* const first = program_.ops.data() + split.pc;
  const MicroOp* const last = first + first->run;
  for (const MicroOp* op = first; op != last; ++op)
    op->lane(warp.rows, warp.predicates.data(), *op, op->uniform ? kAllLanes : split.mask);
  Entered& entered = entered_[split.pc];
  entered.warps += 1;
  entered.threads += lane_count(split.mask);
  split.pc += first->run;
}

// Counts the operations of each run as often as the run was entered.
void Block::count_runs() {
  for (size_t pc = 0; pc < entered_.size(); ++pc) {
    const Entered entered = std::exchange(entered_[pc], {});
    const size_t end = entered.warps == 0 ? pc : pc + program_.ops[pc].run;
    for (size_t i = pc; i < end; ++i) {
      counts_.warps[i] += entered.warps;
      counts_.threads[i] += entered.threads;
    }
  }
}

// True: the lanes of `split` go on; false: they wait, have ended, or there is a fault.
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

void Block::run_warp(Warp& warp) {
  const MicroOp* const ops = program_.ops.data();
  const auto op_count = static_cast<uint32_t>(program_.ops.size());
  while (!warp.ready.empty()) {
    Split split = warp.ready.back();
    warp.ready.pop_back();
    for (;;) {
      if (split.pc >= op_count) return run_past_end(warp, split);
      const MicroOp& op = ops[split.pc];
      if (op.run != 0) {
        run_lanes(warp, split);
        continue;
      }
      if (issue(warp, op, split, split.mask & guarded_lanes(warp, op))) continue;
      if (fault_ || std::exchange(warp.turn_ended, false)) return;
      break;
    }
  }
}

void Block::step_warp(Warp& warp) {
  Split split = warp.ready.back();
  if (split.pc >= program_.ops.size()) return run_past_end(warp, split);
  const MicroOp& op = program_.ops[split.pc];
  const uint32_t active = split.mask & guarded_lanes(warp, op);
  ++issued_;
  if (observer_ != nullptr)
    observer_->on_issue({split.pc, static_cast<uint16_t>(warp.index), split.mask, active});
  if (op.action == Action::lanes) {  // changes no other split
    issue(warp, op, warp.ready.back(), active);
    return;
  }
  warp.ready.pop_back();
  if (issue(warp, op, split, active)) {
    warp.ready.push_back(split);
  } else {
    warp.turn_ended = false;
  }
}

bool Block::execute(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  const uint32_t pc = split.pc;
  const uint32_t p = warp.predicates[op.predicate_in[0]];
  const uint32_t chosen = active & (op.predicate_in_negate[0] ? ~p : p);
  switch (op.action) {
    case Action::load_global:
      ++split.pc;
      if (active == kAllLanes && load_global_words(warp, op, pc)) return true;
      return active == 0 || load(warp, op, pc, active);
    case Action::load_shared:
      ++split.pc;
      if (active == kAllLanes && load_shared_words(warp, op, pc)) return true;
      return active == 0 || load(warp, op, pc, active);
    case Action::load_local:
      ++split.pc;
      return active == 0 || load(warp, op, pc, active);
    case Action::store_global:
    case Action::store_shared:
    case Action::store_local:
      ++split.pc;
      return active == 0 || store(warp, op, pc, active);
    case Action::async_copy:
      ++split.pc;
      return active == 0 || async_copy(warp, op, pc, active);
    case Action::load_matrix:
      ++split.pc;
      return active == 0 || load_matrix(warp, op, pc, active);
    case Action::store_matrix:
      ++split.pc;
      return active == 0 || store_matrix(warp, op, pc);
    case Action::commit_copies:
    case Action::wait_for_copies:
      ++split.pc;
      count_copy_groups(warp, op, pc, active);
      return true;
    case Action::load_constant:
      ++split.pc;
      load_constant(warp, op, active);
      return true;
    case Action::atomic_global:
    case Action::atomic_shared:
      ++split.pc;
      return active == 0 || atomic(warp, op, pc, active);
    case Action::query_space:
      ++split.pc;
      query_space(warp, op, active);
      return true;
    case Action::clock:
      ++split.pc;
      if (active != 0) read_clock(warp, op, active);
      return true;
    case Action::code_address:
      ++split.pc;
      code_address(warp, op, active);
      return true;
    case Action::branch:
      return branch(warp, op, split, active);
    case Action::call:
      if (active == 0) return ++split.pc, true;
      if (!spend_branch(warp, split)) return false;
      warp.resume(split.pc + 1, split.mask & ~active);
      split = {static_cast<uint32_t>(op.offset), active};
      return true;
    case Action::jump_register:
      return spend_branch(warp, split) && jump_register(warp, op, split, active);
    case Action::exit:
      return exit(warp, op, split, chosen);
    case Action::converge_set:
      if (chosen != 0) warp.convergence[op.immediate] = chosen;
      ++split.pc;
      return true;
    case Action::converge_break:
      warp.convergence[op.immediate] &= ~chosen;
      warp.release_parked();
      ++split.pc;
      return true;
    case Action::converge_save:
      for (uint32_t l = 0; l < kWarpLanes; ++l)
        if ((active >> l & 1u) != 0) warp.row(op.destination)[l] = warp.convergence[op.immediate];
      if (active != 0 && (op.flags & kWide) != 0) warp.convergence[op.immediate] = 0;
      ++split.pc;
      return true;
    case Action::converge_restore:
      if (active != 0) warp.convergence[op.immediate] = warp.row(op.source[0])[std::countr_zero(active)];
      ++split.pc;
      return true;
    case Action::converge_wait:
      if (chosen == 0) return ++split.pc, true;
      warp.resume(split.pc + 1, split.mask & ~chosen);
      warp.park(Parked::Until::barrier, op.immediate, split.pc + 1, chosen);
      return false;
    case Action::warp_sync: {
      if (active == 0) return ++split.pc, true;
      const uint32_t lanes = warp.row(op.source[0])[std::countr_zero(active)];
      if ((lanes & warp.live & ~active) == 0) return ++split.pc, true;
      for (const Parked& other : warp.parked)
        if (other.until == Parked::Until::lanes && other.what == lanes && other.pc != pc + 1)
          checks_.lanes_meet_apart(static_cast<uint32_t>(warp.index), {other.pc, other.mask},
                                   {pc + 1, active});
      warp.resume(split.pc + 1, split.mask & ~active);
      warp.park(Parked::Until::lanes, lanes, split.pc + 1, active);
      return false;
    }
    case Action::yield:
      ++split.pc;
      if (warp.ready.empty()) return true;
      warp.ready.insert(warp.ready.begin(), split);
      return false;
    case Action::sleep:
      ++split.pc;
      return active == 0 || end_turn(warp, split);
    case Action::barrier_result:
      ++split.pc;
      read_barrier_result(warp, op, active);
      return true;
    case Action::block_barrier:
      return block_barrier(warp, op, split, active);
    case Action::trap:
      if (active == 0) return ++split.pc, true;
      raise(FaultKind::trap, &warp, pc, std::countr_zero(active), 0, "the kernel executed a trap");
      return false;
    case Action::unsupported:
      if (active == 0) return ++split.pc, true;
      raise(FaultKind::unsupported_instruction, &warp, pc, std::countr_zero(active), 0,
            program_.unsupported[pc]);
      return false;
    case Action::nothing:
    case Action::lanes:
      ++split.pc;
      return true;
  }
  return false;
}

void Block::raise(FaultKind kind, const Warp* warp, uint32_t pc, int lane, uint64_t address,
                  std::string what) {
  if (fault_) return;
  fault_ = Fault{kind, pc, index_, warp == nullptr ? -1 : warp->index, lane, address, std::move(what)};
}

// The fault names the first of those who wait; its text names all of them.
void Block::raise_deadlock() {
  for (const CtaBarrier& barrier : barriers_) {
    if (barrier.waiters.empty()) continue;
    const CtaBarrier::Waiter& first = barrier.waiters.front();
    return raise(FaultKind::deadlock, &warps_[static_cast<size_t>(first.warp)], first.pc,
                 std::countr_zero(first.mask), 0, deadlock_text());
  }
  for (const Warp& warp : warps_) {
    if (warp.parked.empty()) continue;
    const Parked& first = warp.parked.front();
    return raise(FaultKind::deadlock, &warp, first.pc - 1, std::countr_zero(first.mask), 0, deadlock_text());
  }
}

// " (warp 0 at 0x50, warp 1 arrived at 0x90)"
std::string Block::barrier_places(const CtaBarrier& barrier) {
  constexpr size_t kNamed = 8;
  std::string text;
  size_t named = 0;
  for (const auto* those : {&barrier.waiters, &barrier.arrivals})
    for (const CtaBarrier::Waiter& waiter : *those)
      if (named++ < kNamed)
        text += fmt::format("{}warp {}{} at {:#x}", text.empty() ? "" : ", ", waiter.warp,
                            those == &barrier.arrivals ? " arrived" : "", waiter.pc * isa::kInstructionBytes);
  return fmt::format(" ({}{})", text, named > kNamed ? ", …" : "");
}

std::string Block::deadlock_text() const {
  std::string text = "no warp can go on:";
  for (size_t b = 0; b < barriers_.size(); ++b) {
    if (barriers_[b].arrived == 0) continue;
    text += fmt::format(" {} threads wait at barrier {} for {}{};", barriers_[b].arrived, b,
                        barriers_[b].expected != 0 ? barriers_[b].expected : live_threads_,
                        barrier_places(barriers_[b]));
  }
  for (const Warp& warp : warps_)
    for (const Parked& parked : warp.parked)
      text += fmt::format(" lanes {:#010x} of warp {} wait at {:#x} for the others of their warp;",
                          parked.mask, warp.index, (parked.pc - 1) * isa::kInstructionBytes);
  text.back() = '.';
  return text;
}

}  // namespace gemmscope::machine
