// A ReferenceCheck on the GPU: the reference, launched on buffers of its own, and the comparison.
#pragma once

#include <memory>

#include "gpu_runner/request_launches.h"

namespace gemmscope::gpu {

class ReferenceRun {
 public:
  // `request` has a check. It holds as much of the GPU's memory as all buffers of the request.
  static Outcome<std::unique_ptr<ReferenceRun>> create(const CudaDriver& cuda, const Module& module,
                                                       const PrepareRequest& request);
  // Launches it and compares its buffers with `result`. Errors: those of KernelLaunch::launch and wait_until;
  // then nothing of this object may be freed if the runner ends with them.
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
