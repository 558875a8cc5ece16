// What a kernel gets of memory on the GPU: its address, or a tensor map of the matrix there.
#pragma once

#include <optional>
#include <vector>

#include "gpu/parameters.h"
#include "gpu_runner/cuda_driver.h"

namespace gemmscope::gpu {

// The bytes of the argument. Errors: bad_request for a shape that the driver refuses, or a driver without
// tensor maps.
Outcome<std::vector<std::byte>> memory_argument(const CudaDriver& cuda, CUdeviceptr address,
                                                const std::optional<TensorMapShape>& map);

}  // namespace gemmscope::gpu
