// Checks whether one trace is the beginning of another.
#pragma once

#include <gtest/gtest.h>

#include "machine/record/trace.h"

namespace gemmscope::machine {

inline void expect_same_access(const TraceAccess& a, const TraceAccess& b) {
  EXPECT_EQ(a.space, b.space);
  EXPECT_EQ(a.direction, b.direction);
  EXPECT_EQ(a.width_bytes, b.width_bytes);
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.mask, b.mask);
  for (size_t l = 0; l < kWarpLanes; ++l) {
    const bool active = (a.mask >> l & 1u) != 0;
    EXPECT_EQ(active ? a.addresses[l] : 0, active ? b.addresses[l] : 0) << "lane " << l;
  }
}

// Expects `truncated` to hold the first `limit` records of `whole`, and nothing else.
inline void expect_prefix(const Trace& truncated, const Trace& whole, size_t limit) {
  const size_t kept = std::min(limit, whole.records.size());
  ASSERT_EQ(truncated.records.size(), kept);
  EXPECT_EQ(truncated.complete, limit >= whole.records.size());
  size_t accesses = 0;
  for (size_t i = 0; i < kept; ++i) {
    SCOPED_TRACE(testing::Message() << "record " << i);
    const TraceRecord &a = truncated.records[i], &b = whole.records[i];
    ASSERT_EQ(a.instruction, b.instruction);
    ASSERT_EQ(a.warp, b.warp);
    ASSERT_EQ(a.mask, b.mask);
    ASSERT_EQ(a.executed, b.executed);
    ASSERT_EQ(a.k_tile, b.k_tile);
    ASSERT_EQ(a.access_count, b.access_count);
    for (size_t k = 0; k < a.access_count; ++k)
      expect_same_access(truncated.accesses_of(a)[k], whole.accesses_of(b)[k]);
    if (testing::Test::HasFailure()) return;
    accesses += a.access_count;
  }
  EXPECT_EQ(truncated.accesses.size(), accesses);
}

}  // namespace gemmscope::machine
