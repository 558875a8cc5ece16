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

// What is prepared stays on the GPU until it is released; see gpu/timing_protocol.h.
Outcome<Prepared> prepare_on_device(const PrepareRequest& request,
                                    const std::function<void()>& wait_a_moment);
Outcome<Prepared> prepare_on_device(const PrepareLibraryRequest& request,
                                    const std::function<void()>& wait_a_moment);
Outcome<TimeReply> time_on_device(const TimeRequest& request, const std::function<void()>& wait_a_moment);
Outcome<Released> release_on_device(const ReleaseRequest& request);

}  // namespace gemmscope::gpu
