// How much of the row file a micro-op changes.
#pragma once

#include <cstdint>
#include <string>

#include "machine/state/micro_op.h"

namespace gemmscope::machine {

inline constexpr uint32_t kMostResultRows = 8;  // of a product of float64 matrices

// Rows from op.destination on that it writes: a load of 128 bits four.
uint32_t result_rows(const MicroOp& op);

// Nothing, or why its result does not fit: from R252 to R254 on there may be fewer registers than it has
// words, and what lies behind them is RZ, which reads zero. The hardware has no such instruction.
std::string too_wide_text(const MicroOp& op);

}  // namespace gemmscope::machine
