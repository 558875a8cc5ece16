// The GPU as the runner's requests see it: the first device of CUDA_VISIBLE_DEVICES. Built without the CUDA
// Toolkit, every function answers with the reason.
#pragma once

#include <functional>

#include "gpu/protocol.h"

namespace gemmscope::gpu {

Outcome<DeviceFacts> device_facts();

// Launches once and waits for the end, no longer than the request's limit. `wait_a_moment` is called again
// and again meanwhile; it sleeps for about a millisecond.
Outcome<RunReply> run_on_device(const RunRequest& request, const std::function<void()>& wait_a_moment);

}  // namespace gemmscope::gpu
