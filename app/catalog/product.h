// Says which kernels compute C = alpha A B + beta C and so have TFLOP/s; the others are small experiments.
#pragma once

#include "catalog/catalog.h"

namespace gemmscope::catalog {

inline bool is_product(const Kernel& kernel) {
  return kernel.parameters.empty() || is_gemm(kernel.parameters);
}

}  // namespace gemmscope::catalog
