// The parameters of a launch on the GPU.
#pragma once

#include <cstddef>
#include <vector>

namespace gemmscope::gpu {

// A buffer in the GPU's global memory. The kernel receives its address, a multiple of 256.
struct BufferParameter {
  std::vector<std::byte> initial;  // first contents; as long as the buffer
  bool returned = false;           // sent back after the launch; for a RunRequest only
  // Leaves the memory unwritten, so that compute-sanitizer's initcheck reports reads of it. Then only the
  // size of `initial` counts.
  bool unwritten = false;
  bool operator==(const BufferParameter&) const = default;
};
struct ValueParameter {
  std::vector<std::byte> bytes;  // little-endian, as long as the parameter
  bool operator==(const ValueParameter&) const = default;
};

}  // namespace gemmscope::gpu
