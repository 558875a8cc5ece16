#include "gpu_runner/tensor_map.h"

#include <cstring>

namespace gemmscope::gpu {
namespace {

template <typename T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

Outcome<std::vector<std::byte>> memory_argument(const CudaDriver& cuda, CUdeviceptr address,
                                                const std::optional<TensorMapShape>& shape) {
  if (!shape) return bytes_of(address);
  if (cuda.encode_tensor_map == nullptr)
    return runner_error(ErrorKind::bad_request,
                        "the kernel takes a tensor map, which this NVIDIA driver cannot make");
  const uint32_t element_bytes = shape->bfloat16 ? 2 : 4;
  const cuuint64_t size[] = {shape->columns, shape->rows};
  const cuuint64_t row_bytes = size[0] * element_bytes;
  const cuuint32_t box[] = {kBoxRowBytes / element_bytes, shape->box_rows}, every_element[] = {1, 1};
  CUtensorMap map{};
  const CUresult result = cuda.encode_tensor_map(
      &map, shape->bfloat16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
      reinterpret_cast<void*>(address), size, &row_bytes, box, every_element, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_SUCCESS) return bytes_of(map);
  return cuda.failure(result, ErrorKind::bad_request, "the driver cannot make a tensor map");
}

}  // namespace gemmscope::gpu
