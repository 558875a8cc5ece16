// Where the elements of a matrix instruction lie in the registers of a warp.
#pragma once

#include <cstdint>
#include <functional>

#include "isa/instruction.h"
#include "machine/record/trace.h"

namespace gemmscope::metrics {

// Registers that each operand of a matrix instruction takes; `step` is 2 where an element takes two
// (float64).
struct FragmentWords {
  uint32_t a = 0, b = 0, c = 0, step = 1;
  bool any() const { return c != 0; }
};
// All zero for an instruction that multiplies no matrices held in registers.
FragmentWords fragment_words(const isa::Instruction& instruction);

// One register of one lane that LDSM fills or STSM empties: the shared addresses of its two halves, which are
// neighbours unless the matrix is transposed.
struct MatrixWord {
  uint32_t lane = 0, word = 0;  // word: the register after the instruction's first one
  uint64_t low = 0, high = 0;   // bytes
};
// The access must travel by Path::matrix.
void for_matrix_words(const machine::TraceAccess& access, bool transposed,
                      const std::function<void(const MatrixWord&)>& visit);

}  // namespace gemmscope::metrics
