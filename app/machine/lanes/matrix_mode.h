// How a MicroOp encodes matrix instructions.
#pragma once

#include <cstdint>

namespace gemmscope::machine {

// HMMA: MicroOp::mode is a HalfType, `immediate` the depth k (4, 8 or 16); kWide: a float32 accumulator.
enum class HalfType : uint8_t { f16, bf16, tf32 };

// IMMA: `immediate` is the depth k. kWide: sixteen rows of A instead of eight; kSigned, kRight: signed
// elements of A, of B; kWrap: 4-bit elements; kSaturate: the result is clamped to 32 bits.

// DMMA: `immediate` is the depth k; kWide: sixteen rows.

// LDSM and STSM: `mode` is the number of matrices (1, 2 or 4); kHigh: they are transposed.

}  // namespace gemmscope::machine
