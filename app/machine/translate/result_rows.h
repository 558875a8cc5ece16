// How many rows of the row file a micro-op changes.
#pragma once

#include <cstdint>
#include <string>

#include "machine/state/micro_op.h"

namespace gemmscope::machine {

inline constexpr uint32_t kMostResultRows = 8;  // a product of float64 matrices has so many

// The number of rows that it writes, from op.destination on: 4 for a load of 128 bits.
uint32_t result_rows(const MicroOp& op);

// Why the result does not fit into the registers, or nothing if it does: a result that starts at R252 to R254
// may have more words than there are registers before RZ, which reads zero. The hardware has no such
// instruction.
std::string too_wide_text(const MicroOp& op);

}  // namespace gemmscope::machine
