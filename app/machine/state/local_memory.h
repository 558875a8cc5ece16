// The local memory of a warp: the stack of each lane, from kStackTop down. Kernels that spill use a few bytes
// of it, so it is allocated only as deep as it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gemmscope::machine {

class LocalMemory {
 public:
  void clear() { depth_ = 0; }
  // Makes room for the `depth` bytes below the top; new ones are zero. Earlier pointers become invalid.
  void reach(uint32_t depth);
  // The byte `depth` bytes below the top of a lane's stack; reach() must have made room for it.
  std::byte* at(uint32_t lane, uint32_t depth) {
    return bytes_.data() + static_cast<size_t>(lane) * depth_ + (depth_ - depth);
  }

 private:
  uint32_t depth_ = 0;  // of each lane
  std::vector<std::byte> bytes_;
};

}  // namespace gemmscope::machine
