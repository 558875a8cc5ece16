// Where the driver lays out the local memory of a context.
#pragma once

#include <cstddef>

#include "gpu_runner/cuda_driver.h"

namespace gemmscope::gpu {

// The driver lays local memory out for the largest stack of a thread that the context has seen. Other lines
// then share a set of L1, so that the same kernel takes up to 13 % longer once one with a larger stack has
// run (tests/calibration/timing/spills_h200.csv). This lays it out as in a new context for a kernel with
// `bytes` of local memory a thread. The stream must be idle. Errors: driver_error, out_of_memory,
// device_lost.
Outcome<void> lay_out_local_memory(const CudaDevice& device, size_t bytes);

}  // namespace gemmscope::gpu
