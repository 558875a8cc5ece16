#include "machine/state/local_memory.h"

#include <algorithm>
#include <bit>

#include "machine/state/row_file.h"

namespace gemmscope::machine {

void LocalMemory::reach(uint32_t depth) {
  constexpr uint32_t kLeastDepth = 256;
  if (depth <= depth_) return;
  const std::vector<std::byte> before = depth_ == 0 ? std::vector<std::byte>() : bytes_;
  const uint32_t depth_before = depth_;
  depth_ = std::max(kLeastDepth, std::bit_ceil(depth));
  bytes_.assign(static_cast<size_t>(depth_) * kWarpLanes, std::byte{0});
  for (uint32_t lane = 0; lane < kWarpLanes && depth_before > 0; ++lane)
    std::copy_n(before.begin() + static_cast<ptrdiff_t>(lane) * depth_before, depth_before,
                at(lane, depth_before));
}

}  // namespace gemmscope::machine
