// A buffer in the GPU's memory between two runs of guard bytes, which show a kernel's writes outside the
// buffer. They do not show a write beyond the guards, or one of the guards' own value.
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
  // Finds the offset of the first changed byte before the buffer, else of the first one behind it.
  CUresult find_outside_write(std::optional<int64_t>& offset) const;

 private:
  GuardedBuffer(const CudaDriver& cuda, size_t bytes) : cuda_(&cuda), bytes_(bytes) {}

  const CudaDriver* cuda_;
  size_t bytes_;
  CUdeviceptr allocation_ = 0;
};

}  // namespace gemmscope::gpu
