// Where the rows of matrices that LDSM loads and STSM stores are in the registers of a warp.
#pragma once

#include <cstdint>
#include <functional>

#include "isa/instruction.h"
#include "machine/record/trace.h"

namespace gemmscope::metrics {

// One register of one lane that LDSM writes or STSM reads: the shared addresses of its two halves, which are
// adjacent unless the matrix is transposed.
struct MatrixWord {
  uint32_t lane = 0, word = 0;  // word: register number minus that of the instruction's first register
  uint64_t low = 0, high = 0;   // bytes
};
// Visits each register of each lane. The access must have Path::matrix.
void for_matrix_words(const machine::TraceAccess& access, bool transposed,
                      const std::function<void(const MatrixWord&)>& visit);

}  // namespace gemmscope::metrics
