// A, B and their float64 product, shared by all kernels prepared for the same sizes.
#pragma once

#include <map>
#include <memory>

#include "gpu_runner/cuda_launch.h"
#include "gpu_runner/cuda_memory.h"
#include "gpu_runner/product_check.h"

namespace gemmscope::gpu {

class GemmMatrices {
 public:
  GemmMatrices(const CudaDriver& cuda, int64_t m, int64_t n, int64_t k) : cuda_(&cuda), m_(m), n_(n), k_(k) {}

  bool is_for(const Gemm& gemm) const { return gemm.m == m_ && gemm.n == n_ && gemm.k == k_; }

  // Returns the address of 'A' or 'B', which the first call fills. Errors: out_of_memory, device_lost,
  // driver_error.
  Outcome<CUdeviceptr> factor(char role, bool bfloat16);
  // Computes all elements on the GPU with cuBLAS. Without cuBLAS, or memory for it, computes on the CPU.
  Outcome<const ProductReference*> reference(FactorTypes types, const std::function<void()>& wait_a_moment);

 private:
  const CudaDriver* cuda_;
  int64_t m_, n_, k_;
  std::map<std::pair<char, bool>, DeviceBuffer> factors_;
  std::map<FactorTypes, ProductReference> references_;
};

// Makes a kernel's own C with its first contents.
Outcome<DeviceBuffer> make_c(const CudaDriver& cuda, const Gemm& gemm, const MatrixParameter& matrix);

}  // namespace gemmscope::gpu
