// Launches a kernel and waits for its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu_runner/cuda_driver.h"

namespace gemmscope::gpu {

class KernelLaunch {
 public:
  KernelLaunch(const CudaDriver& cuda, CUfunction function, std::string kernel,
               const std::array<uint32_t, 3>& grid, const std::array<uint32_t, 3>& block,
               uint32_t dynamic_shared_bytes)
      : cuda_(&cuda),
        function_(function),
        kernel_(std::move(kernel)),
        grid_(grid),
        block_(block),
        dynamic_shared_bytes_(dynamic_shared_bytes) {}

  void add_argument(std::vector<std::byte> value) { values_.push_back(std::move(value)); }

  // Checks that the kernel takes exactly these arguments, if the driver can tell. Error: bad_request.
  Outcome<void> check_arguments() const;
  // Allows the kernel the shared memory of its launch. One call is enough.
  Outcome<void> allow_shared_memory() const;
  // Does not wait. Errors: launch_refused, device_lost.
  Outcome<void> launch();

  const std::string& kernel() const { return kernel_; }
  // Of a thread; 0 if the driver cannot tell.
  size_t local_bytes() const;

 private:
  tl::unexpected<RunnerError> refused(CUresult result) const;

  const CudaDriver* cuda_;
  CUfunction function_;
  std::string kernel_;
  std::array<uint32_t, 3> grid_, block_;
  uint32_t dynamic_shared_bytes_;
  std::vector<std::vector<std::byte>> values_;
  std::vector<void*> pointers_;  // to values_, from the first launch on
};

// What to wait for, and for how long.
struct Wait {
  std::string kernel;
  uint32_t limit_ms;
  const std::function<void()>& a_moment;  // sleeps for about a millisecond
};
// Calls `query` (cuStreamQuery or cuEventQuery) until the work is done. Errors: kernel_fault, kernel_timeout,
// device_lost.
Outcome<void> wait_until(const CudaDriver& cuda, const std::function<CUresult()>& query, const Wait& wait);

}  // namespace gemmscope::gpu
