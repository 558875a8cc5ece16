// The L1 cache: sets of 16 lines, the least recently used line of a set leaves. Lines are spread over the
// sets by a hash.
#pragma once

#include "sm/config.h"
#include "sm/state.h"

namespace gemmscope::sm {

uint32_t mixed(uint32_t value);  // a hash: every bit of the result depends on every bit of the value

// KiB that shared memory takes of the SM's memory when the resident blocks use `shared_bytes`: the smallest
// of the sizes that the driver can set. 0 where shared memory is a memory of its own.
uint64_t shared_carve_out_kib(int compute_capability, uint64_t shared_bytes);

// What `shared_bytes` of shared memory, the sum of the resident blocks, leave of the SM's memory.
CacheState make_l1(const SmConfig& config, uint64_t shared_bytes);

struct FoundLine {
  CacheLine& line;
  bool evicted_dirty = false;  // another line had to leave that was not yet written to L2
};
// The line of `tag`; one without valid sectors takes its place if it is not there.
FoundLine find_line(CacheState& cache, uint32_t tag);

}  // namespace gemmscope::sm
