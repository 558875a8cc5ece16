// The L1 cache: sets of 16 lines, the least recently used line of a set leaves. Lines are spread over the
// sets by a hash.
#pragma once

#include "sm/config.h"
#include "sm/state.h"

namespace gemmscope::sm {

uint32_t mixed(uint32_t value);  // a hash: every bit of the result depends on every bit of the value

// What `shared_bytes` of shared memory, the sum of the resident blocks, leave of the SM's memory: shared
// memory takes the smallest of the sizes that the driver sets (CUDA C++ Programming Guide, compute
// capabilities 8.x and 9.0).
CacheState make_l1(const SmConfig& config, uint64_t shared_bytes);

struct FoundLine {
  CacheLine& line;
  bool evicted_dirty = false;  // another line had to leave that was not yet written to L2
};
// The line of `tag`; one without valid sectors takes its place if it is not there.
FoundLine find_line(CacheState& cache, uint32_t tag);

}  // namespace gemmscope::sm
