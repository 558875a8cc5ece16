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
  // Returns one address per parameter of the request; 0 if it is not a buffer.
  std::vector<CUdeviceptr> addresses(size_t parameter_count) const;
  Outcome<std::vector<std::byte>> read(uint32_t parameter) const;

 private:
  std::map<uint32_t, DeviceBuffer> buffers_;
};

// `addresses` holds those of the buffers and matrices. Errors: those of Module::function and of KernelLaunch.
Outcome<KernelLaunch> make_launch(const CudaDriver& cuda, const Module& module, const TimedLaunch& what,
                                  const std::vector<TimedParameter>& parameters,
                                  const std::vector<CUdeviceptr>& addresses);

}  // namespace gemmscope::gpu
