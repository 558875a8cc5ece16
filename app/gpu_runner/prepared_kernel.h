// A kernel, or cuBLAS's product, that stays on the GPU with everything that its launches need.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gpu_runner/cublas_library.h"
#include "gpu_runner/cuda_module.h"
#include "gpu_runner/cuda_timing.h"
#include "gpu_runner/gemm_matrices.h"
#include "gpu_runner/reference_run.h"

namespace gemmscope::gpu {

class PreparedKernel {
 public:
  // `matrices` are null where the request has no Gemm.
  static Outcome<std::unique_ptr<PreparedKernel>> create(const CudaDevice& device,
                                                         const PrepareRequest& request,
                                                         std::shared_ptr<GemmMatrices> matrices);
  static Outcome<std::unique_ptr<PreparedKernel>> create(const CudaDevice& device,
                                                         const PrepareLibraryRequest& request,
                                                         std::shared_ptr<GemmMatrices> matrices);

  const std::string& name() const { return name_; }  // for messages
  const std::string& library() const { return library_; }
  // Of a thread of its launches, at most.
  size_t local_bytes() const;
  Enqueue enqueue();
  // Checks C, or the buffers that the request's check names, after exactly one launch; call it once. If the
  // request has neither, the result is unchecked and gives the reason.
  Outcome<GpuVerification> verify(const std::function<void()>& wait_a_moment);

  double shortest_ms = 0;  // shortest time so far; 0: not launched yet

 private:
  explicit PreparedKernel(const CudaDevice& device) : cuda_(device.driver), module_(device) {}
  Outcome<void> add_buffers(const PrepareRequest& request);
  Outcome<void> note_matrix(const MatrixParameter& matrix, CUdeviceptr& address);
  Outcome<std::vector<std::byte>> read_c(const ProductReference& reference) const;

  const CudaDriver* cuda_;
  std::string name_, library_;
  std::shared_ptr<GemmMatrices> matrices_;
  std::optional<CheckedKernel> checked_;  // with a Gemm
  bool has_a_ = false, has_b_ = false;
  std::optional<DeviceBuffer> c_;
  Module module_;
  RequestBuffers buffers_;
  std::vector<std::vector<std::byte>> arguments_;  // one per parameter of the request
  std::vector<KernelLaunch> launches_;
  std::unique_ptr<ReferenceRun> reference_;  // until it has been compared
  std::function<Outcome<void>()> multiply_;  // cuBLAS's
};

}  // namespace gemmscope::gpu
