// Owns an allocation in the GPU's memory.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "gpu_runner/cuda_driver.h"

namespace gemmscope::gpu {

// Makes the error reply for a failed allocation, or for a failed first write to one.
tl::unexpected<RunnerError> no_room(const CudaDriver& cuda, size_t bytes, CUresult result);

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  // Errors: out_of_memory, device_lost, driver_error.
  static Outcome<DeviceBuffer> create(const CudaDriver& cuda, size_t bytes);
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : cuda_(other.cuda_), bytes_(other.bytes_), address_(std::exchange(other.address_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();

  CUdeviceptr address() const { return address_; }
  size_t bytes() const { return bytes_; }
  Outcome<void> write(size_t offset, std::span<const std::byte> from) const;
  Outcome<void> read(size_t offset, std::span<std::byte> to) const;
  Outcome<void> fill(unsigned char value) const;

 private:
  const CudaDriver* cuda_ = nullptr;
  size_t bytes_ = 0;
  CUdeviceptr address_ = 0;
};

}  // namespace gemmscope::gpu
