// What shared memory leaves of an SM's memory for L1, by compute capability.
#include "sm/cache.h"

#include <gtest/gtest.h>

namespace gemmscope::sm {
namespace {

constexpr uint64_t kKib = 1024;

TEST(SharedCarveOut, IsTheSmallestSizeThatServes) {
  EXPECT_EQ(shared_carve_out_kib(90, 0), 0u);
  EXPECT_EQ(shared_carve_out_kib(90, 1), 8u);
  EXPECT_EQ(shared_carve_out_kib(90, 8 * kKib), 8u);
  EXPECT_EQ(shared_carve_out_kib(90, 8 * kKib + 1), 16u);
  EXPECT_EQ(shared_carve_out_kib(90, 165 * kKib), 196u);
  EXPECT_EQ(shared_carve_out_kib(90, 228 * kKib), 228u);
}

TEST(SharedCarveOut, HasSizesByArchitecture) {
  EXPECT_EQ(shared_carve_out_kib(80, 65 * kKib), 100u);
  EXPECT_EQ(shared_carve_out_kib(80, 133 * kKib), 164u);
  EXPECT_EQ(shared_carve_out_kib(86, 65 * kKib), 100u);
  EXPECT_EQ(shared_carve_out_kib(89, 17 * kKib), 32u);
  EXPECT_EQ(shared_carve_out_kib(75, 0), 32u) << "Turing has 32 and 64 KiB alone";
  EXPECT_EQ(shared_carve_out_kib(75, 33 * kKib), 64u);
  EXPECT_EQ(shared_carve_out_kib(70, 65 * kKib), 96u);
}

TEST(SharedCarveOut, IsNothingWhereSharedMemoryIsApart) {
  EXPECT_EQ(shared_carve_out_kib(61, 96 * kKib), 0u);
}

uint64_t l1_kib(int compute_capability, double kib, uint64_t shared_bytes) {
  SmConfig config;
  config.compute_capability = compute_capability;
  config.l1_kib = kib;
  const CacheState cache = make_l1(config, shared_bytes);
  EXPECT_EQ(cache.lines.size(), size_t{cache.sets} * cache.ways);
  return cache.lines.size() * 128 / kKib;
}

TEST(L1, GetsTheRest) {
  EXPECT_EQ(l1_kib(90, 256, 0), 256u);
  EXPECT_EQ(l1_kib(90, 256, 40 * kKib), 192u);
  EXPECT_EQ(l1_kib(80, 192, 164 * kKib), 28u);
  EXPECT_EQ(l1_kib(86, 128, 100 * kKib), 28u);
  EXPECT_EQ(l1_kib(75, 96, 64 * kKib), 32u);
  EXPECT_EQ(l1_kib(61, 48, 96 * kKib), 48u);
}

// The share of hits when so many lines are read in order, again and again.
double hits_in_order(bool lru, uint32_t lines) {
  SmConfig config;
  config.compute_capability = 90;
  config.l1_kib = 256;
  config.l1_lru = lru ? 1 : 0;
  CacheState cache = make_l1(config, 0);
  constexpr uint32_t kPasses = 20;
  double hits = 0;
  for (uint32_t pass = 0; pass < kPasses; ++pass)
    for (uint32_t line = 0; line < lines; ++line) {
      const FoundLine found = find_line(cache, line);
      hits += found.line.valid != 0 ? 1 : 0;
      found.line.valid = 15;
    }
  return hits / (static_cast<double>(kPasses - 1) * lines);
}

// local.txt and ncu_h200_stalls.csv: 256 KiB hit 80 to 90 %, 1 MiB next to nothing.
TEST(L1, DoesNotLoseAllOfWhatIsALittleTooLarge) {
  EXPECT_GT(hits_in_order(false, 256 * 8), 0.75);
  EXPECT_LT(hits_in_order(true, 256 * 8), 0.65);
  EXPECT_LT(hits_in_order(false, 1024 * 8), 0.1);
}

}  // namespace
}  // namespace gemmscope::sm
