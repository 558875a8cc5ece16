#include "gpu_runner/device.h"

namespace gemmscope::gpu {
namespace {

tl::unexpected<RunnerError> absent() {
  return runner_error(ErrorKind::no_toolkit,
                      "this GPU runner was built without the CUDA Toolkit: install the toolkit 12 or newer "
                      "and build it again");
}

}  // namespace

Outcome<DeviceFacts> device_facts() { return absent(); }
Outcome<RunReply> run_on_device(const RunRequest&, const std::function<void()>&) { return absent(); }
Outcome<Prepared> prepare_on_device(const PrepareRequest&, const std::function<void()>&) { return absent(); }
Outcome<Prepared> prepare_on_device(const PrepareLibraryRequest&, const std::function<void()>&) {
  return absent();
}
Outcome<TimeReply> time_on_device(const TimeRequest&, const std::function<void()>&) { return absent(); }
Outcome<Released> release_on_device(const ReleaseRequest&) { return absent(); }

}  // namespace gemmscope::gpu
