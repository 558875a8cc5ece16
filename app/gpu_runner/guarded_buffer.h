// A buffer in the GPU's memory between two runs of guard bytes: what a kernel writes beside the buffer shows.
// A write further away than the guards, and one that writes the guards' own value, does not.
#pragma once

#include <optional>
#include <vector>

#include "gpu/parameters.h"
#include "gpu_runner/cuda_driver.h"

namespace gemmscope::gpu {

inline constexpr size_t kGuardBytes = 4096;  // on each side; keeps cuMemAlloc's alignment

class GuardedBuffer {
 public:
  // Errors: out_of_memory, driver_error.
  static Outcome<GuardedBuffer> create(const CudaDriver& cuda, const BufferParameter& given);
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;
  ~GuardedBuffer();

  CUdeviceptr address() const { return allocation_ + kGuardBytes; }
  CUresult read(std::vector<std::byte>& bytes) const;
  // Offset of the first byte before the buffer that is not as it was, else of the first behind it.
  CUresult find_outside_write(std::optional<int64_t>& offset) const;

 private:
  GuardedBuffer(const CudaDriver& cuda, size_t bytes) : cuda_(&cuda), bytes_(bytes) {}

  const CudaDriver* cuda_;
  size_t bytes_;
  CUdeviceptr allocation_ = 0;
};

}  // namespace gemmscope::gpu
