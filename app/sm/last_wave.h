// Which SM gets how many of the last blocks of a launch.
#pragma once

#include <cstdint>
#include <span>

namespace gemmscope::sm {

// The most of `blocks` blocks that one of `sms` SMs gets, first come, first served: a place of an SM takes
// the next block when its own block ends, at `ends` of the SM's places in cycles. The SMs differ by `spread`,
// the standard deviation as a share. Where the blocks of an SM end together, an SM that is ahead takes
// several (blocks.csv: up to 3 of 116 blocks that are left for 132 SMs); where they end one after the other,
// each SM gets one. At most ends.size() a SM.
uint64_t most_blocks_of_an_sm(std::span<const double> ends, uint64_t sms, uint64_t blocks, double spread);

}  // namespace gemmscope::sm
