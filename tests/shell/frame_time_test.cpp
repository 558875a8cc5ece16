#include "shell/frame_time.h"

#include <gtest/gtest.h>

#include <numeric>

namespace gemmscope::shell {
namespace {

TEST(FrameTime, NearestRankPercentiles) {
  std::vector<float> hundred(100);
  std::iota(hundred.rbegin(), hundred.rend(), 1.0f);  // 100 … 1
  EXPECT_EQ(percentile(hundred, 50), 50);
  EXPECT_EQ(percentile(hundred, 99), 99);
  EXPECT_EQ(percentile(hundred, 100), 100);
  EXPECT_EQ(percentile(hundred, 0), 1);
  // Textbook example of the nearest-rank method.
  EXPECT_EQ(percentile({15, 20, 35, 40, 50}, 30), 20);
  EXPECT_EQ(percentile({15, 20, 35, 40, 50}, 40), 20);
  EXPECT_EQ(percentile({7}, 99), 7);
  EXPECT_EQ(percentile({}, 50), 0);
}

TEST(FrameTime, RingKeepsTheLastOnes) {
  FrameTimes times;
  for (int i = 0; i < 700; ++i) times.add(i);
  EXPECT_EQ(times.size(), FrameTimes::kCapacity);
  const std::vector<float> history = times.history_ms();
  EXPECT_EQ(history.front(), 700 - 512);
  EXPECT_EQ(history.back(), 699);
  EXPECT_EQ(times.summary().max_ms, 699);
  EXPECT_EQ(times.summary().frames, FrameTimes::kCapacity);
  times.clear();
  EXPECT_EQ(times.size(), 0u);
  EXPECT_EQ(times.summary().p50_ms, 0);
}

TEST(FrameTime, OneSlowFrameShowsInTheTailOnly) {
  FrameTimes times;
  for (int i = 0; i < 200; ++i) times.add(i == 150 ? 90 : 8);
  EXPECT_EQ(times.summary().p50_ms, 8);
  EXPECT_EQ(times.summary().p99_ms, 8);
  EXPECT_EQ(times.summary().max_ms, 90);
}

}  // namespace
}  // namespace gemmscope::shell
