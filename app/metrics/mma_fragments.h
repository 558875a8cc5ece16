// Which lane and register of a warp holds which element of the factors and the sum of a matrix instruction,
// and of a matrix that LDSM loads. Source: PTX ISA, "Matrix Fragments for mma.m16n8k4 / m16n8k8 / m16n8k16"
// and "ldmatrix". The machine's own products agree (tests/metrics/mma_fragments_test.cpp).
#pragma once

#include <cstdint>
#include <optional>

#include "isa/instruction.h"

namespace gemmscope::metrics {

// D = A·B + C with A of m × k, B of k × n, C and D of m × n elements.
struct MmaShape {
  int m = 16, n = 8, k = 8;
  int factor_bits = 16;       // 32: TF32
  int accumulator_bits = 32;  // 16: two elements of C in a register
  friend bool operator==(const MmaShape&, const MmaShape&) = default;
};
// The shape of an HMMA; nothing for other instructions and sparse products.
std::optional<MmaShape> mma_shape(const isa::Instruction& instruction);

enum class MmaMatrix : uint8_t { a, b, c };
struct FragmentPlace {
  int lane = 0;
  int word = 0;  // register number minus that of the operand's first register
  int half = 0;  // 1: the upper half of a register that holds two elements
  friend bool operator==(const FragmentPlace&, const FragmentPlace&) = default;
};
FragmentPlace fragment_place(const MmaShape& shape, MmaMatrix matrix, int row, int column);

// Of an 8 × 8 matrix of 16-bit elements; row r is the 16 bytes at the address that lane r gives (of the i-th
// matrix: lane 8 i + r). `word`: to be moved on by i.
FragmentPlace ldsm_place(bool transposed, int row, int column);

}  // namespace gemmscope::metrics
