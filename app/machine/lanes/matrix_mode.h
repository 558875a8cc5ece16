// How a MicroOp says which matrix instruction it is.
#pragma once

#include <cstdint>

namespace gemmscope::machine {

// HMMA: MicroOp::mode. `immediate` is the depth k (4, 8 or 16), kWide a float32 accumulator.
enum class HalfType : uint8_t { f16, bf16, tf32 };

// IMMA: `immediate` is the depth k, kWide sixteen rows of A instead of eight, kSigned and kRight signed
// elements of A and of B, kWrap and kHigh 4-bit elements of A and of B, kSaturate a result clamped to 32
// bits. DMMA: `immediate` is the depth k, kWide sixteen rows.

// LDSM and STSM: `mode` is the number of matrices (1, 2 or 4), kHigh transposes them.

}  // namespace gemmscope::machine
