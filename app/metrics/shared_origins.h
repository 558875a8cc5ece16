// Which element of global memory each word of shared memory holds when it is first written.
#pragma once

#include <vector>

#include "metrics/dataflow.h"

namespace gemmscope::metrics {

// By word of the shared window (address / 4): its element, or kNoTag where nothing from global memory was
// stored. Reads the first `most_records` records only: a loop fills the same places in every pass.
std::vector<Tag> shared_origins(const machine::Trace& trace,
                                const std::vector<isa::Instruction>& instructions, const MatrixLayout& layout,
                                size_t most_records);

}  // namespace gemmscope::metrics
