// When the execution of a block is given up.
#pragma once

#include <atomic>
#include <cstdint>

namespace gemmscope::machine {

struct BlockLimits {
  // Branches that a block may issue before it counts as an endless loop: a few seconds.
  uint64_t branch_budget = 1ull << 27;
  const std::atomic<bool>* cancelled = nullptr;
};

}  // namespace gemmscope::machine
