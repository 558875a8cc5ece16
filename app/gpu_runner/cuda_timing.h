// How long launches take, by CUDA's events.
#pragma once

#include <cstdint>
#include <functional>

#include "gpu_runner/cuda_launch.h"
#include "gpu_runner/cuda_memory.h"

namespace gemmscope::gpu {

// Puts the work that is timed into the default stream and does not wait.
using Enqueue = std::function<Outcome<void>()>;

// Once, alone. Milliseconds.
Outcome<double> time_once(const CudaDriver& cuda, const Enqueue& enqueue, const Wait& wait);

// `launches` times in a row, in kStretches between events: the median of the stretches' means. `leads`: so
// many more before them, so that the first event does not wait for the first launch to be handed over. The
// limit is for all of it.
Outcome<double> time_in_a_row(const CudaDriver& cuda, const Enqueue& enqueue, uint32_t launches,
                              uint32_t leads, const Wait& wait);

// Each with events of its own, after all of `eviction` was overwritten; the median. What that leaves in the
// L2 cache still has to be written back, which the launch may feel.
Outcome<double> time_with_cold_l2(const CudaDriver& cuda, const Enqueue& enqueue, uint32_t launches,
                                  const DeviceBuffer& eviction, const Wait& wait);

}  // namespace gemmscope::gpu
