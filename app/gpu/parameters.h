// What a launch on the GPU is given.
#pragma once

#include <cstddef>
#include <vector>

namespace gemmscope::gpu {

// A buffer in the GPU's global memory; the kernel gets its address, a multiple of 256.
struct BufferParameter {
  std::vector<std::byte> initial;  // as many bytes as the buffer has
  bool returned = false;           // after the launch; for a RunRequest only
  // Memory that nobody has written instead of `initial`, which tells the size alone: compute-sanitizer's
  // initcheck sees a read of it.
  bool unwritten = false;
  bool operator==(const BufferParameter&) const = default;
};
struct ValueParameter {
  std::vector<std::byte> bytes;  // little-endian, of the parameter's size
  bool operator==(const ValueParameter&) const = default;
};

}  // namespace gemmscope::gpu
