#include "machine/execute/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "isa/disassemble.h"
#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {
namespace {

// Vectors of 64 bytes load fastest from a single cache line.
constexpr size_t kLine = 64;

template <typename T>
T* aligned_piece(std::vector<T>& storage, size_t count) {
  storage.resize(count + kLine / sizeof(T));
  const auto address = reinterpret_cast<uintptr_t>(storage.data());
  return storage.data() + (kLine - address % kLine) % kLine / sizeof(T);
}

}  // namespace

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
  rows_ = aligned_piece(row_storage_, warp_count * words_per_warp);
  warps_.resize(warp_count);
  for (size_t w = 0; w < warp_count; ++w) {
    warps_[w].index = static_cast<int>(w);
    warps_[w].rows = rows_ + w * words_per_warp;
    for (size_t c = 0; c < program.constants.size(); ++c)
      std::copy(program.constants[c].begin(), program.constants[c].end(),
                warps_[w].row(static_cast<Row>(kConstantRow + c)));
  }
  shared_ = {aligned_piece(shared_storage_, program.shared_bytes), program.shared_bytes};
  entered_.resize(program.ops.size());
  access_places_.resize(program.ops.size());
}
Block::~Block() = default;

void Block::start(std::array<uint32_t, 3> block_index) {
  index_ = block_index;
  fault_.reset();
  branches_left_ = limits_.branch_budget;
  std::fill(shared_.begin(), shared_.end(), std::byte{0});
  for (CtaBarrier& barrier : barriers_) barrier.clear();
  live_threads_ = program_.launch.threads_per_block();
  for (Warp& warp : warps_) start_warp(warp);
  checks_.start(block_index);
  if (stores_ != nullptr) stores_->start(block_number(block_index, program_.launch.grid));
}

// On hardware registers start undefined; here they start as zero, so that runs repeat exactly.
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
  // Clears only the registers that the code can name.
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
  issues_ = observer != nullptr && observer->takes_issues() ? observer : nullptr;
  start(block_index);
  if (observer_ != nullptr) observer_->on_copies_awaited();
  run_warps(schedule);
  count_runs();
  checks_.finish();
  return fault_;
}

bool Block::execute(Warp& warp, const MicroOp& op, Split& split, uint32_t active) {
  const uint32_t pc = split.pc;
  switch (op.action) {
    case Action::load_global:
    case Action::load_shared:
    case Action::load_local:
    case Action::store_shared:
    case Action::store_global:
    case Action::store_local:
    case Action::async_copy:
    case Action::load_matrix:
    case Action::store_matrix:
    case Action::load_constant:
      ++split.pc;
      return active == 0 || access(warp, op, pc, active);
    case Action::commit_copies:
    case Action::wait_for_copies:
      ++split.pc;
      count_copy_groups(warp, op, pc, active);
      return true;
    case Action::atomic_global:
    case Action::atomic_shared:
      ++split.pc;
      return active == 0 || atomic(warp, op, pc, active);
    case Action::object_exchange:
    case Action::object_arrive:
    case Action::object_test:
    case Action::bulk_copy:
    case Action::tensor_copy:
      ++split.pc;
      return active == 0 || execute_async(warp, op, pc, active);
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
    case Action::barrier_result:
      ++split.pc;
      read_barrier_result(warp, op, active);
      return true;
    case Action::block_barrier:
      return block_barrier(warp, op, split, active);
    case Action::trap:
    case Action::unsupported:
      if (active != 0) return stop(warp, op, pc, active);
      ++split.pc;
      return true;
    case Action::fence:
      if (stores_ != nullptr && active != 0) stores_->may_be_ordered();
      ++split.pc;
      return true;
    case Action::nothing:
    case Action::lanes:
      ++split.pc;
      return true;
    case Action::branch:
    case Action::call:
    case Action::jump_register:
    case Action::exit:
    case Action::converge_set:
    case Action::converge_wait:
    case Action::converge_break:
    case Action::converge_save:
    case Action::converge_restore:
    case Action::warp_sync:
    case Action::yield:
    case Action::sleep:
      return execute_control(warp, op, split, active);
  }
  return false;
}

// At an instruction that ends the execution; always false.
bool Block::stop(const Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  const int lane = std::countr_zero(active);
  if (op.action == Action::trap)
    raise(FaultKind::trap, &warp, pc, lane, 0, "the kernel executed a trap");
  else
    raise(FaultKind::unsupported_instruction, &warp, pc, lane, 0, program_.unsupported[pc]);
  return false;
}

void Block::raise(FaultKind kind, const Warp* warp, uint32_t pc, int lane, uint64_t address,
                  std::string what) {
  if (fault_) return;
  fault_ = Fault{kind, pc, index_, warp == nullptr ? -1 : warp->index, lane, address, std::move(what)};
}

}  // namespace gemmscope::machine
