// The register file of a sub-core: two banks, register number modulo 2, each read once a cycle. An operand
// with the reuse flag stays in a cache of one entry for each operand slot and bank, until the next read of
// that slot and bank (Huerta et al., MICRO 2025; measured on an H200: tests/calibration/microbench).
#pragma once

#include "sm/config.h"
#include "sm/state.h"
#include "sm/timed_code.h"

namespace gemmscope::sm {

// Reserves the cycles in which an instruction issued in cycle `now` reads its registers. Returns the first
// cycle in which the sub-core can issue again.
uint64_t read_registers(RegisterState& registers, const SmConfig& config, const TimedInstruction& instruction,
                        uint32_t warp, uint64_t now);

}  // namespace gemmscope::sm
