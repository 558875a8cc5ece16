// Computes the float64 product of A and B on the GPU with cuBLAS.
#pragma once

#include <functional>

#include "gpu_runner/cuda_driver.h"
#include "gpu_runner/product_check.h"

namespace gemmscope::gpu {

// Computes all rows. The GPU holds all of B, and A and C in bands of rows. Errors: no_library,
// out_of_memory, and those that end the runner.
Outcome<ProductReference> device_reference(const CudaDriver& cuda, const Gemm& gemm, FactorTypes types,
                                           const std::function<void()>& wait_a_moment);

}  // namespace gemmscope::gpu
