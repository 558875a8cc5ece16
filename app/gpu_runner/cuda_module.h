// A cubin that the driver has loaded.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "gpu_runner/cuda_driver.h"

namespace gemmscope::gpu {

class Module {
 public:
  explicit Module(const CudaDevice& device) : device_(&device) {}
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // `kernel` is for messages. Errors: bad_machine_code, out_of_memory, device_lost.
  Outcome<void> load(std::span<const std::byte> cubin, const std::string& kernel);
  // Errors: no_such_kernel, and those of load.
  Outcome<CUfunction> function(const std::string& kernel) const;

 private:
  tl::unexpected<RunnerError> refused(CUresult result, const std::string& kernel) const;

  const CudaDevice* device_;
  CUmodule module_ = nullptr;
};

}  // namespace gemmscope::gpu
