// The parameters of a launch on the GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gemmscope::gpu {

// A row-major matrix without gaps, of which a kernel gets a tensor map (CUtensorMap) in place of its address.
// A box is 128 bytes wide; its pieces of 16 bytes are swizzled over 128 bytes. Zeros stand for what lies
// outside the matrix.
struct TensorMapShape {
  bool bfloat16 = false;           // else float32
  uint32_t rows = 0, columns = 0;  // of the matrix; a row is a multiple of 16 bytes
  uint32_t box_rows = 0;           // 1 to kMostBoxRows
  bool operator==(const TensorMapShape&) const = default;
};
inline constexpr uint32_t kMostBoxRows = 256, kBoxRowBytes = 128;

// A buffer in the GPU's global memory. The kernel receives its address, a multiple of 256.
struct BufferParameter {
  std::vector<std::byte> initial;  // first contents; as long as the buffer
  bool returned = false;           // sent back after the launch; for a RunRequest only
  // Leaves the memory unwritten, so that compute-sanitizer's initcheck reports reads of it. Then only the
  // size of `initial` counts.
  bool unwritten = false;
  std::optional<TensorMapShape> tensor_map;  // of the buffer's matrix, which the kernel gets instead
  bool operator==(const BufferParameter&) const = default;
};
struct ValueParameter {
  std::vector<std::byte> bytes;  // little-endian, as long as the parameter
  bool operator==(const ValueParameter&) const = default;
};

}  // namespace gemmscope::gpu
