#include "gpu_runner/device.h"

namespace gemmscope::gpu {
namespace {

tl::unexpected<RunnerError> not_yet() {
  return runner_error(ErrorKind::bad_request, "this GPU runner cannot time kernels yet: install a newer one");
}

}  // namespace

Outcome<Prepared> prepare_on_device(const PrepareRequest&, const std::function<void()>&) { return not_yet(); }
Outcome<Prepared> prepare_on_device(const PrepareLibraryRequest&, const std::function<void()>&) {
  return not_yet();
}
Outcome<TimeReply> time_on_device(const TimeRequest&, const std::function<void()>&) { return not_yet(); }
Outcome<Released> release_on_device(const ReleaseRequest&) { return not_yet(); }

}  // namespace gemmscope::gpu
