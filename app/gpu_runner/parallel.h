// Splits work over all cores of the runner's computer.
#pragma once

#include <cstdint>
#include <functional>

namespace gemmscope::gpu {

// Calls work(begin, end) in parallel for parts of [0, count) of at least `least`. `work` must not throw.
void in_parallel(int64_t count, int64_t least, const std::function<void(int64_t begin, int64_t end)>& work);

}  // namespace gemmscope::gpu
