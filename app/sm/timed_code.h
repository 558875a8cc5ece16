// A kernel's machine code as the timing model reads it: the unit that executes an instruction, the registers
// that it reads, and its control field.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "isa/instruction.h"
#include "metrics/register_ports.h"

namespace gemmscope::sm {

enum class Unit : uint8_t {
  none,       // branches, barriers, NOP: the issue slot alone
  fma,        // either FMA unit
  fma_heavy,  // the FMA unit that multiplies integers, and packed half precision
  alu,
  fp64,
  xu,
  tensor,
  uniform,
  constant,  // LDC
  memory,    // through the sub-core's queue to the load-store unit
};
inline constexpr int kUnits = 10;
const char* unit_name(Unit unit);  // as Nsight Compute names its pipe

enum class MemoryOp : uint8_t {
  none,
  load_global,
  store_global,
  load_shared,  // LDSM too
  store_shared,
  async_copy,
  atomic_global,
  reduce_global,
  atomic_shared,
  load_local,
  store_local,
  register_only,  // shuffles and special registers: the way of a shared access, without data
};

enum class Special : uint8_t {
  none,
  depbar,          // DEPBAR: waits until a scoreboard has fallen to a count
  copy_group,      // LDGDEPBAR: the scoreboard follows the copies before it
  barrier,         // BAR that waits
  barrier_arrive,  // BAR.ARV
  object_arrive,   // SYNCS.ARRIVE
  object_wait,     // SYNCS.PHASECHK
  bulk_copy,       // UTMALDG, UBLKCP: from global to shared memory, by the copy engine
};

struct TimedInstruction {
  Unit unit = Unit::none;
  MemoryOp memory = MemoryOp::none;
  Special special = Special::none;
  isa::Control control;
  uint8_t scoreboard = 0, scoreboard_count = 0;  // of DEPBAR
  uint8_t words = 1;                             // 32-bit words of a lane's access
  uint8_t reads = 0;
  bool small_mma = false;     // HMMA with half the factors of the largest shape
  bool wide_imad = false;     // with a product of 64 bits
  bool deferred = false;      // BAR.DEFER_BLOCKING
  uint8_t written_banks = 0;  // of the registers that it writes, a bit each
  uint8_t first_written = isa::kRegisterZero;
  std::array<metrics::PortRead, metrics::PortReads::kMost> read{};

  // A warp at a deferred barrier goes on with these: no memory, no constants, no branch.
  bool goes_past_barrier() const {
    return special == Special::none && (unit == Unit::fma || unit == Unit::fma_heavy || unit == Unit::alu ||
                                        unit == Unit::fp64 || unit == Unit::tensor || unit == Unit::uniform);
  }
  bool loads_global() const {  // copies to shared memory too
    return memory == MemoryOp::load_global || memory == MemoryOp::async_copy || special == Special::bulk_copy;
  }
  bool global() const {  // waits in the queue for local and global accesses
    return memory == MemoryOp::load_global || memory == MemoryOp::store_global ||
           memory == MemoryOp::async_copy || memory == MemoryOp::atomic_global ||
           memory == MemoryOp::reduce_global || memory == MemoryOp::load_local ||
           memory == MemoryOp::store_local;
  }
};

// Errors: an instruction whose time is not known (wgmma, a bulk store, an encoding without a row), named with
// its place.
Result<std::vector<TimedInstruction>> timed_code(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::sm
