// Runs a ReferenceCheck on the GPU: launches the reference on its own buffers and compares.
#pragma once

#include <memory>

#include "gpu_runner/request_launches.h"

namespace gemmscope::gpu {

class ReferenceRun {
 public:
  // `request` must have a check. The object takes as much of the GPU's memory as all buffers of the request.
  static Outcome<std::unique_ptr<ReferenceRun>> create(const CudaDriver& cuda, const Module& module,
                                                       const PrepareRequest& request);
  // Launches the reference and compares its buffers with `result`. Errors: those of KernelLaunch::launch and
  // wait_until. After an error that ends the runner, do not destroy this object.
  Outcome<GpuVerification> compare(const RequestBuffers& result, const std::function<void()>& wait_a_moment);

 private:
  ReferenceRun(const CudaDriver& cuda, ReferenceCheck check, RequestBuffers buffers, KernelLaunch launch)
      : cuda_(&cuda), check_(std::move(check)), buffers_(std::move(buffers)), launch_(std::move(launch)) {}

  const CudaDriver* cuda_;
  ReferenceCheck check_;
  RequestBuffers buffers_;
  KernelLaunch launch_;
};

}  // namespace gemmscope::gpu
