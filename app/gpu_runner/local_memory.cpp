#include "gpu_runner/local_memory.h"

#include <algorithm>

namespace gemmscope::gpu {
namespace {

constexpr size_t kUnitBytes = 16;  // the driver rounds a stack up to it

}  // namespace

Outcome<void> lay_out_local_memory(const CudaDevice& device, size_t bytes) {
  const CudaDriver& cuda = *device.driver;
  constexpr const char* kFailed = "the GPU's local memory cannot be laid out";
  size_t now = 0;
  CUresult result = cuda.get_limit(&now, CU_LIMIT_STACK_SIZE);
  if (result != CUDA_SUCCESS) return cuda.failure(result, ErrorKind::driver_error, kFailed);
  const size_t wanted = std::max(device.stack_bytes, (bytes + kUnitBytes - 1) / kUnitBytes * kUnitBytes);
  if (now == wanted) return {};
  result = cuda.set_limit(CU_LIMIT_STACK_SIZE, wanted);
  if (result != CUDA_SUCCESS) return cuda.failure(result, ErrorKind::driver_error, kFailed);
  return {};
}

}  // namespace gemmscope::gpu
