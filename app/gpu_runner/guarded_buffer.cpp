#include "gpu_runner/guarded_buffer.h"

#include <algorithm>
#include <utility>

#include "gpu_runner/cuda_memory.h"

namespace gemmscope::gpu {
namespace {

constexpr unsigned char kGuardByte = 0xa5;

}  // namespace

Outcome<GuardedBuffer> GuardedBuffer::create(const CudaDriver& cuda, const BufferParameter& given) {
  const std::vector<std::byte>& initial = given.initial;
  GuardedBuffer buffer(cuda, initial.size());
  CUresult result = cuda.allocate(&buffer.allocation_, initial.size() + 2 * kGuardBytes);
  if (result == CUDA_SUCCESS) result = cuda.fill(buffer.allocation_, kGuardByte, kGuardBytes);
  if (result == CUDA_SUCCESS) result = cuda.fill(buffer.address() + initial.size(), kGuardByte, kGuardBytes);
  if (result == CUDA_SUCCESS && !initial.empty() && !given.unwritten)
    result = cuda.copy_to_device(buffer.address(), initial.data(), initial.size());
  if (result != CUDA_SUCCESS) return no_room(cuda, initial.size(), result);
  return buffer;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : cuda_(other.cuda_), bytes_(other.bytes_), allocation_(std::exchange(other.allocation_, 0)) {}

GuardedBuffer::~GuardedBuffer() {
  if (allocation_ != 0) cuda_->free(allocation_);
}

CUresult GuardedBuffer::read(std::vector<std::byte>& bytes) const {
  bytes.resize(bytes_);
  return bytes_ == 0 ? CUDA_SUCCESS : cuda_->copy_to_host(bytes.data(), address(), bytes_);
}

CUresult GuardedBuffer::find_outside_write(std::optional<int64_t>& offset) const {
  std::vector<std::byte> guard(kGuardBytes);
  for (const int64_t start : {-static_cast<int64_t>(kGuardBytes), static_cast<int64_t>(bytes_)}) {
    const CUdeviceptr from = address() + static_cast<CUdeviceptr>(start);
    if (const CUresult result = cuda_->copy_to_host(guard.data(), from, guard.size()); result != CUDA_SUCCESS)
      return result;
    const auto changed = std::ranges::find_if(guard, [](std::byte b) { return b != std::byte{kGuardByte}; });
    if (changed == guard.end()) continue;
    offset = start + (changed - guard.begin());
    return CUDA_SUCCESS;
  }
  return CUDA_SUCCESS;
}

}  // namespace gemmscope::gpu
