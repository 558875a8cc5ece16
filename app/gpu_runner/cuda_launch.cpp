#include "gpu_runner/cuda_launch.h"

#include <chrono>

namespace gemmscope::gpu {
namespace {

constexpr uint32_t kUsualSharedBytes =
    48 * 1024;  // more needs cuFuncSetAttribute (CUDA C++ Programming Guide)

}  // namespace

// The driver copies as many bytes as the kernel declares, so a shorter argument would be read past its end.
Outcome<void> KernelLaunch::check_arguments() const {
  if (cuda_->parameter_info == nullptr) return {};
  size_t offset = 0, bytes = 0;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (cuda_->parameter_info(function_, i, &offset, &bytes) != CUDA_SUCCESS)
      return runner_error(ErrorKind::bad_request, "{} has {} parameters, but the launch gives {}", kernel_, i,
                          values_.size());
    if (bytes != values_[i].size())
      return runner_error(ErrorKind::bad_request, "parameter {} of {} has {} bytes, but the launch gives {}",
                          i, kernel_, bytes, values_[i].size());
  }
  if (cuda_->parameter_info(function_, values_.size(), &offset, &bytes) == CUDA_SUCCESS)
    return runner_error(ErrorKind::bad_request, "{} has more parameters than the {} that the launch gives",
                        kernel_, values_.size());
  return {};
}

Outcome<void> KernelLaunch::allow_shared_memory() const {
  if (dynamic_shared_bytes_ <= kUsualSharedBytes) return {};
  const CUresult result = cuda_->set_function_attribute(
      function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(dynamic_shared_bytes_));
  if (result == CUDA_SUCCESS) return {};
  return refused(result);
}

Outcome<void> KernelLaunch::launch() {
  if (pointers_.empty())
    for (std::vector<std::byte>& value : values_) pointers_.push_back(value.data());
  const CUresult result = cuda_->launch(function_, grid_[0], grid_[1], grid_[2], block_[0], block_[1],
                                        block_[2], dynamic_shared_bytes_, nullptr, pointers_.data(), nullptr);
  if (result == CUDA_SUCCESS) return {};
  return refused(result);
}

size_t KernelLaunch::local_bytes() const {
  int bytes = 0;
  const CUresult result = cuda_->function_attribute(&bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function_);
  return result == CUDA_SUCCESS && bytes > 0 ? static_cast<size_t>(bytes) : 0;
}

tl::unexpected<RunnerError> KernelLaunch::refused(CUresult result) const {
  const auto &g = grid_, &b = block_;
  return cuda_->failure(result, ErrorKind::launch_refused,
                        fmt::format("the GPU refuses to launch {} (grid {} x {} x {}, block {} x {} x {}, {} "
                                    "bytes of dynamic shared memory)",
                                    kernel_, g[0], g[1], g[2], b[0], b[1], b[2], dynamic_shared_bytes_));
}

Outcome<void> wait_until(const CudaDriver& cuda, const std::function<CUresult()>& query, const Wait& wait) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait.limit_ms);
  while (true) {
    const CUresult result = query();
    if (result == CUDA_SUCCESS) return {};
    if (result != CUDA_ERROR_NOT_READY)
      return cuda.failure(result, ErrorKind::kernel_fault, fmt::format("{} failed on the GPU", wait.kernel));
    if (std::chrono::steady_clock::now() >= end)
      return runner_error(ErrorKind::kernel_timeout, "{} did not end within {} ms on the GPU and was stopped",
                          wait.kernel, wait.limit_ms);
    wait.a_moment();
  }
}

}  // namespace gemmscope::gpu
