// A request's buffers on the GPU, and its launches.
#pragma once

#include <map>
#include <vector>

#include "gpu/timing_protocol.h"
#include "gpu_runner/cuda_launch.h"
#include "gpu_runner/cuda_memory.h"
#include "gpu_runner/cuda_module.h"

namespace gemmscope::gpu {

// The buffers by parameter, each with its first contents.
class RequestBuffers {
 public:
  // Errors: out_of_memory, device_lost, driver_error.
  static Outcome<RequestBuffers> create(const CudaDriver& cuda,
                                        const std::vector<TimedParameter>& parameters);
  // Returns the bytes of an argument per parameter of the request; none for a matrix. Errors: bad_request.
  Outcome<std::vector<std::vector<std::byte>>> arguments(const CudaDriver& cuda,
                                                         const std::vector<TimedParameter>& parameters) const;
  Outcome<std::vector<std::byte>> read(uint32_t parameter) const;

 private:
  std::map<uint32_t, DeviceBuffer> buffers_;
};

// `arguments` has one per parameter of the request. Errors: those of Module::function and of KernelLaunch.
Outcome<KernelLaunch> make_launch(const CudaDriver& cuda, const Module& module, const TimedLaunch& what,
                                  const std::vector<std::vector<std::byte>>& arguments);

}  // namespace gemmscope::gpu
