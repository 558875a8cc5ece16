#include "gpu_runner/reference_run.h"

#include "base/compare_elements.h"

namespace gemmscope::gpu {

Outcome<std::unique_ptr<ReferenceRun>> ReferenceRun::create(const CudaDriver& cuda, const Module& module,
                                                            const PrepareRequest& request) {
  Outcome<RequestBuffers> buffers = RequestBuffers::create(cuda, request.parameters);
  if (!buffers) return tl::unexpected(buffers.error());
  const auto arguments = buffers->arguments(cuda, request.parameters);
  if (!arguments) return tl::unexpected(arguments.error());
  Outcome<KernelLaunch> launch = make_launch(cuda, module, request.check->launch, *arguments);
  if (!launch) return tl::unexpected(launch.error());
  return std::unique_ptr<ReferenceRun>(
      new ReferenceRun(cuda, *request.check, std::move(*buffers), std::move(*launch)));
}

Outcome<GpuVerification> ReferenceRun::compare(const RequestBuffers& result,
                                               const std::function<void()>& wait_a_moment) {
  Outcome<void> step = launch_.launch();
  if (step)
    step = wait_until(*cuda_, [this] { return cuda_->query_stream(nullptr); },
                      {launch_.kernel(), check_.time_limit_ms, wait_a_moment});
  if (!step) return tl::unexpected(step.error());
  Deviation deviation;
  for (const ReferenceCheck::Buffer& compared : check_.compare) {
    const Outcome<std::vector<std::byte>> here = result.read(compared.parameter);
    if (!here) return tl::unexpected(here.error());
    const Outcome<std::vector<std::byte>> there = buffers_.read(compared.parameter);
    if (!there) return tl::unexpected(there.error());
    compare_elements(*here, *there, compared.type, check_.tolerance, deviation);
  }
  GpuVerification verification;
  verification.checked = true;
  verification.largest_error = deviation.largest_error;
  verification.largest_ratio = deviation.largest_ratio;
  verification.wrong_elements = deviation.wrong_elements;
  verification.against = fmt::format("its reference, the kernel {}", launch_.kernel());
  return verification;
}

}  // namespace gemmscope::gpu
