// Answers the runner's requests with the first device of CUDA_VISIBLE_DEVICES. In a build without the CUDA
// Toolkit every function returns the error no_toolkit.
#pragma once

#include <functional>

#include "gpu/protocol.h"

namespace gemmscope::gpu {

Outcome<DeviceFacts> device_facts();

// Launches once and waits for the end, up to the request's limit. While waiting, it keeps calling
// `wait_a_moment`, which sleeps for about a millisecond.
Outcome<RunReply> run_on_device(const RunRequest& request, const std::function<void()>& wait_a_moment);

// A prepared kernel stays on the GPU until it is released; see gpu/timing_protocol.h.
Outcome<Prepared> prepare_on_device(const PrepareRequest& request,
                                    const std::function<void()>& wait_a_moment);
Outcome<Prepared> prepare_on_device(const PrepareLibraryRequest& request,
                                    const std::function<void()>& wait_a_moment);
Outcome<TimeReply> time_on_device(const TimeRequest& request, const std::function<void()>& wait_a_moment);
Outcome<Released> release_on_device(const ReleaseRequest& request);

}  // namespace gemmscope::gpu
