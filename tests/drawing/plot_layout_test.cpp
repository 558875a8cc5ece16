#include "drawing/plot_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace gemmscope::drawing {
namespace {

constexpr Rect kArea{10, 20, 110, 60};

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
