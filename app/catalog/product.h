// Says which kernels compute C = alpha A B + beta C and so have TFLOP/s; the others are small experiments.
#pragma once

#include "catalog/catalog.h"

namespace gemmscope::catalog {

inline bool is_product(const Kernel& kernel) {
  return kernel.parameters.empty() || is_gemm(kernel.parameters);
}

// A kernel without matrices to map, which has a picture of its own.
inline bool is_lab(const Kernel& kernel) { return kernel.picture != Picture::none && !is_product(kernel); }

}  // namespace gemmscope::catalog
