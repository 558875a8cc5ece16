#include "gpu_runner/cuda_memory.h"

#include <algorithm>

namespace gemmscope::gpu {

tl::unexpected<RunnerError> no_room(const CudaDriver& cuda, size_t bytes, CUresult result) {
  if (result != CUDA_ERROR_OUT_OF_MEMORY)
    return cuda.failure(result, ErrorKind::driver_error,
                        fmt::format("a buffer of {} bytes cannot be filled", bytes));
  size_t free_bytes = 0, all_bytes = 0;
  cuda.memory_info(&free_bytes, &all_bytes);
  return runner_error(
      ErrorKind::out_of_memory,
      "the GPU has no room for a buffer of {} bytes ({} MB of {} MB are free): choose a smaller problem, or "
      "end other programs that use it",
      bytes, free_bytes >> 20, all_bytes >> 20);
}

Outcome<DeviceBuffer> DeviceBuffer::create(const CudaDriver& cuda, size_t bytes) {
  DeviceBuffer buffer;
  buffer.cuda_ = &cuda;
  buffer.bytes_ = bytes;
  const CUresult result = cuda.allocate(&buffer.address_, std::max<size_t>(bytes, 1));
  if (result == CUDA_SUCCESS) return buffer;
  buffer.address_ = 0;
  return no_room(cuda, bytes, result);
}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(cuda_, other.cuda_);
  std::swap(bytes_, other.bytes_);
  std::swap(address_, other.address_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ != 0) cuda_->free(address_);
}

Outcome<void> DeviceBuffer::write(size_t offset, std::span<const std::byte> from) const {
  if (from.empty()) return {};
  const CUresult result = cuda_->copy_to_device(address_ + offset, from.data(), from.size());
  if (result == CUDA_SUCCESS) return {};
  return cuda_->failure(result, ErrorKind::driver_error, "a matrix cannot be copied to the GPU");
}

Outcome<void> DeviceBuffer::read(size_t offset, std::span<std::byte> to) const {
  if (to.empty()) return {};
  const CUresult result = cuda_->copy_to_host(to.data(), address_ + offset, to.size());
  if (result == CUDA_SUCCESS) return {};
  return cuda_->failure(result, ErrorKind::driver_error, "a result cannot be copied from the GPU");
}

Outcome<void> DeviceBuffer::fill(unsigned char value) const {
  const CUresult result = cuda_->fill(address_, value, bytes_);
  if (result == CUDA_SUCCESS) return {};
  return cuda_->failure(result, ErrorKind::driver_error, "the GPU's memory cannot be filled");
}

}  // namespace gemmscope::gpu
