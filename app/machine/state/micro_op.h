// An instruction after translation: rows instead of operands, a function instead of an opcode.
#pragma once

#include <array>
#include <cstdint>

#include "machine/state/row_file.h"

namespace gemmscope::machine {

struct MicroOp;
// Executes one instruction for the lanes of `mask`. `rows` is the warp's row file; `predicates` are its
// predicates, as lane masks.
using LaneFunction = void (*)(uint32_t* rows, uint32_t* predicates, const MicroOp& op, uint32_t mask);

// Who executes a micro-op: a lane function, or the block (memory, control flow, barriers).
enum class Action : uint8_t {
  lanes,
  load_global,
  store_global,
  load_shared,
  store_shared,
  load_local,
  store_local,
  load_constant,
  async_copy,
  load_matrix,
  store_matrix,
  atomic_global,
  atomic_shared,
  query_space,
  object_exchange,  // barrier objects in shared memory
  object_arrive,
  object_test,
  bulk_copy,
  tensor_copy,
  commit_copies,
  wait_for_copies,
  clock,
  branch,
  exit,
  converge_set,
  converge_wait,
  converge_break,
  converge_save,
  converge_restore,
  warp_sync,
  yield,
  sleep,
  call,
  jump_register,
  code_address,
  block_barrier,
  barrier_result,
  trap,
  fence,  // orders accesses to memory, which nothing here reorders: only the checks want to know
  nothing,
  unsupported,  // the machine cannot execute this instruction: a lane that reaches it faults
};

// True for accesses to memory. After one, the lanes go on with the next instruction, or there is a fault.
inline bool is_access(Action action) {
  switch (action) {
    case Action::load_global:
    case Action::store_global:
    case Action::load_shared:
    case Action::store_shared:
    case Action::load_local:
    case Action::store_local:
    case Action::load_constant:
    case Action::async_copy:
    case Action::load_matrix:
    case Action::store_matrix:
      return true;
    default:
      return false;
  }
}

// What is done to a source before it is used. It is separate from the operation, so that lane functions need
// no variants.
enum class SourceModifier : uint8_t {
  none,
  float_negate,
  float_absolute,
  float_negative_absolute,
  bit_not,
  negate
};

// MicroOp::flags
inline constexpr uint8_t kFlushDenormals = 1, kSaturate = 2, kSigned = 4, kCarryIn = 8, kHigh = 16,
                         kRight = 32, kWrap = 64, kWide = 128;

struct alignas(64) MicroOp {  // one cache line
  LaneFunction lane = nullptr;
  Action action = Action::lanes;
  uint8_t guard = 7;  // predicate number
  bool guard_negate = false;
  bool uniform = false;  // executed once for the warp: the mask becomes all lanes
  uint8_t flags = 0;
  uint8_t mode = 0;         // comparison, rounding, shift type, truth table: see the lane function
  uint8_t combine = 0;      // AND, OR or XOR of a comparison with its source predicate
  uint8_t width_bytes = 4;  // memory accesses
  Row destination = kTrashRow;
  std::array<Row, 4> source{kZeroRow, kZeroRow, kZeroRow, kZeroRow};
  std::array<SourceModifier, 4> modifier{};
  std::array<uint8_t, 2> predicate_out{kTrashPredicate, kTrashPredicate};
  std::array<uint8_t, 3> predicate_in{7, 7, 7};
  std::array<bool, 3> predicate_in_negate{};
  // The run of instructions from here on: so many operations are lane functions or memory accesses, without a
  // guard.
  uint16_t run_length = 0;
  // For a load of shared memory: the leader is the load so many operations earlier in the same run whose
  // lanes have the same distances, because nothing between them changes their address registers. 0: it has
  // none.
  uint16_t leader = 0;
  uint32_t immediate = 0;  // shift count, lane mask, barrier number: see the lane function
  int64_t offset = 0;      // memory: bytes; control: target instruction index
};

}  // namespace gemmscope::machine
