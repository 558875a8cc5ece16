// The numbers of A, B and C (base/random_element.h), as float32 or bfloat16, in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gemmscope::gpu {

// Rounds to nearest, ties to even. `value` is finite.
uint16_t bfloat16_bits(float value);
float bfloat16_value(uint16_t bits);

// Returns element `index`, row-major, of 'A', 'B' or 'C', rounded to the matrix's type.
float matrix_element(char role, bool bfloat16, uint64_t index);

inline size_t element_bytes(bool bfloat16) { return bfloat16 ? 2 : 4; }

// Fills `bytes` with the elements from `first` on.
void fill_matrix(char role, bool bfloat16, uint64_t first, std::span<std::byte> bytes);
// Fills `values` with the same numbers in float64, or with their absolute values.
void fill_float64(char role, bool bfloat16, bool absolute, uint64_t first, std::span<double> values);

}  // namespace gemmscope::gpu
