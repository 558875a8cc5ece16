// The tiles that shared memory holds, read from what is stored there: for kernels whose source declares
// bytes, one dimension, or dimensions of a template.
#pragma once

#include <vector>

#include "experiment/shared_arrays.h"
#include "metrics/dataflow.h"

namespace gemmscope::experiment {

// `origins`: by word of the shared window, see metrics/shared_origins.h. Finds rows of words that hold
// elements of one row of a matrix (or of one column of it), where rows begin at equal distances; what lies
// between their ends is padding. Each tile is named by its matrix, further ones are numbered.
std::vector<SharedArray> arrays_by_contents(const std::vector<metrics::Tag>& origins,
                                            const metrics::MatrixLayout& layout);

}  // namespace gemmscope::experiment
