// When an instruction reads its registers: the rule of metrics/register_ports.h in the cycles of a sub-core.
#pragma once

#include "sm/config.h"
#include "sm/state.h"
#include "sm/timed_code.h"

namespace gemmscope::sm {

struct PortsTaken {
  uint64_t until = 0;  // the first cycle in which the sub-core can issue again
  int cycles = 0;      // in which the busier bank reads
};
// Reserves the cycles in which an instruction issued in cycle `now` reads its registers.
PortsTaken read_registers(RegisterState& registers, const SmConfig& config,
                          const TimedInstruction& instruction, uint32_t warp, uint64_t now);

}  // namespace gemmscope::sm
