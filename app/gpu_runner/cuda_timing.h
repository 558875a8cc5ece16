// Times launches with CUDA events.
#pragma once

#include <cstdint>
#include <functional>

#include "gpu_runner/cuda_launch.h"
#include "gpu_runner/cuda_memory.h"

namespace gemmscope::gpu {

// Puts the timed work into the default stream and does not wait.
using Enqueue = std::function<Outcome<void>()>;

// Times one launch alone. Returns milliseconds.
Outcome<double> time_once(const CudaDriver& cuda, const Enqueue& enqueue, const Wait& wait);

// Launches `launches` times in a row, in kBatchesPerSample batches between events, and returns the median of
// the batches' means. `leads` untimed launches go first, so that the first event does not time the
// submission of a launch. The time limit covers everything.
Outcome<double> time_in_a_row(const CudaDriver& cuda, const Enqueue& enqueue, uint32_t launches,
                              uint32_t leads, const Wait& wait);

// Gives each launch its own events, overwrites all of `eviction` before it, and returns the median. The
// overwriting leaves dirty lines in the L2 cache, whose write-back may slow the launch.
Outcome<double> time_with_cold_l2(const CudaDriver& cuda, const Enqueue& enqueue, uint32_t launches,
                                  const DeviceBuffer& eviction, const Wait& wait);

}  // namespace gemmscope::gpu
