#include "drawing/plot_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace gemmscope::drawing {
namespace {

constexpr Rect kArea{10, 20, 110, 60};

TEST(PlotLayout, NiceSteps) {
  EXPECT_DOUBLE_EQ(nice_step(100, 5), 20);
  EXPECT_DOUBLE_EQ(nice_step(61.3, 4), 20);
  EXPECT_DOUBLE_EQ(nice_step(0.007, 7), 0.001);
  EXPECT_DOUBLE_EQ(nice_step(9, 1), 10);
  EXPECT_DOUBLE_EQ(nice_step(0, 5), 1);
}

TEST(PlotLayout, BarsAreProportional) {
  const std::array values{10.0, 5.0, 0.0};
  const auto rows = layout_bars(kArea, values, 10, 20, 30, 8, 2);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].track, (Rect{30, 20, 80, 28}));
  EXPECT_EQ(rows[0].bar, rows[0].track);
  EXPECT_EQ(rows[1].bar.width(), 25);
  EXPECT_EQ(rows[1].label.top, 30);
  EXPECT_EQ(rows[2].bar.width(), 0);
}

TEST(PlotLayout, TinyBarsStayVisibleAndBadValuesCountAsNothing) {
  const std::array values{1e-9, -5.0, std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity()};
  const auto rows = layout_bars(kArea, values, 10, 20, 30, 8, 2);
  EXPECT_EQ(rows[0].bar.width(), 1);
  for (int i = 1; i < 4; ++i) EXPECT_EQ(rows[i].bar.width(), 0) << i;
}

TEST(PlotLayout, StackLeavesNoGaps) {
  const std::array values{1.0, 1.0, 1.0};
  const auto parts = layout_stack(kArea, values);
  EXPECT_EQ(parts.front().left, kArea.left);
  EXPECT_EQ(parts[0].right, parts[1].left);
  EXPECT_EQ(parts[1].right, parts[2].left);
  EXPECT_EQ(parts.back().right, kArea.right);
  EXPECT_EQ(parts[0].width(), 33);
}

TEST(PlotLayout, StackOfATotalLeavesTheRestFree) {
  const std::array values{25.0, 25.0};
  EXPECT_EQ(layout_stack(kArea, values, 100).back().right, 60);
  EXPECT_EQ(layout_stack(kArea, values, 10).back().right, kArea.right);  // never beyond the area
  const std::array nothing{0.0, -1.0};
  EXPECT_EQ(layout_stack(kArea, nothing).back().right, kArea.left);
}

TEST(PlotLayout, SparklineSpansTheArea) {
  const std::array values{0.0f, 10.0f, 5.0f};
  const auto points = layout_sparkline(kArea, values, 0, 10);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0], (Point{10, 60}));
  EXPECT_EQ(points[1], (Point{60, 20}));
  EXPECT_EQ(points[2], (Point{110, 40}));
}

TEST(PlotLayout, SparklineOfManyValuesLosesNoPeak) {
  std::vector<float> values(100'000, 1.0f);
  values[54'321] = 9.0f;
  const auto points = layout_sparkline(kArea, values, 0, 9);
  EXPECT_LE(points.size(), 200u);
  EXPECT_EQ(std::count_if(points.begin(), points.end(), [](Point p) { return p.y == 20; }), 1);
  EXPECT_TRUE(layout_sparkline(kArea, {}, 0, 1).empty());
}

TEST(PlotLayout, DensityStacksCategoriesAndMergesEqualColumns) {
  // Two buckets, two categories: the first bucket is twice as full as the second.
  const std::array<std::uint32_t, 4> counts{6, 2, 4, 0};
  const auto columns = layout_density(kArea, counts, 2, 2);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[0].left, 10);
  EXPECT_EQ(columns[0].right, 60);
  EXPECT_EQ(columns[0].bottom, 60);
  EXPECT_EQ(columns[0].top, 30);  // 6 of 8
  EXPECT_EQ(columns[1].category, 1);
  EXPECT_EQ(columns[1].top, 20);
  EXPECT_EQ(columns[2].top, 40);  // 4 of 8
  EXPECT_EQ(columns[2].right, 110);
}

TEST(PlotLayout, DensityOfMoreBucketsThanPixelsAverages) {
  std::vector<std::uint32_t> counts(100'000);
  std::iota(counts.begin(), counts.end(), 0);
  const auto columns = layout_density(kArea, counts, 100'000, 1);
  EXPECT_LE(columns.size(), 100u);
  for (std::size_t i = 1; i < columns.size(); ++i) EXPECT_LE(columns[i].top, columns[i - 1].top);
  EXPECT_TRUE(layout_density(kArea, {}, 0, 1).empty());
  EXPECT_TRUE(layout_density(kArea, std::vector<std::uint32_t>(8), 4, 2).empty());
}

}  // namespace
}  // namespace gemmscope::drawing
