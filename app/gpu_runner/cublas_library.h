// NVIDIA's cuBLAS, loaded at run time. It gives the reference bar and the float64 product that kernels are
// checked against.
#pragma once

#include <string>

#include "gpu/timing_protocol.h"
#include "gpu_runner/cublas_abi.h"
#include "gpu_runner/cuda_driver.h"

namespace gemmscope::gpu {

class CublasLibrary {
 public:
  // "cuBLAS 13.1.0"
  const std::string& title() const { return title_; }

  // Computes C = alpha A B + beta C, row-major, in the default stream, and does not wait for the end. With
  // bf16, A and B are bfloat16; C is always float32. Errors: out_of_memory, no_library (cuBLAS has no such
  // product), driver_error.
  Outcome<void> multiply(const Gemm& gemm, Precision precision, CUdeviceptr a, CUdeviceptr b,
                         CUdeviceptr c) const;
  // Computes C = A B in float64, row-major.
  Outcome<void> multiply_float64(int64_t m, int64_t n, int64_t k, CUdeviceptr a, CUdeviceptr b,
                                 CUdeviceptr c) const;

 private:
  friend Outcome<CublasLibrary> load_cublas();
  const char* find_all(void* library);
  Outcome<void> checked(int status) const;
  std::string status_text(int status) const;

  CublasHandle handle_ = nullptr;
  std::string title_;
  CublasCreate create_ = nullptr;
  CublasGetVersion get_version_ = nullptr;
  CublasSetMathMode set_math_mode_ = nullptr;
  CublasGetStatusName status_name_ = nullptr;  // null in old versions
  CublasDgemm dgemm_ = nullptr;
  CublasGemmEx gemm_ex_ = nullptr;
};

// Loads cuBLAS once and opens it on the current device. Searches the loader's paths, the toolkit of the
// build, $CUDA_HOME and /usr/local/cuda. GEMMSCOPE_CUBLAS names another file, or "none". Errors: no_library
// and out_of_memory; after out_of_memory the next call tries again.
Outcome<const CublasLibrary*> cublas_library();

}  // namespace gemmscope::gpu
