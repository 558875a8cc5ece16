// When the execution of a block is stopped.
#pragma once

#include <atomic>
#include <cstdint>

namespace gemmscope::machine {

struct BlockLimits {
  // A block that issues so many branches, in a few seconds, counts as an endless loop.
  uint64_t branch_budget = 1ull << 27;
  const std::atomic<bool>* cancelled = nullptr;
};

}  // namespace gemmscope::machine
