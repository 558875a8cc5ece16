#include "drawing/cell_grid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gemmscope::drawing {
namespace {

constexpr Rect kArea{10, 20, 47, 83};  // 37 × 63 pixels: no cell has a whole size
constexpr CellView kWhole{0, 0, 10, 9};

// The texture unit samples at pixel centres: pixel p of a row shows cell floor((p + 0.5 - left) / width ×
// cells).
TEST(CellGrid, EdgesLieWhereNearestSamplingChangesCells) {
  for (int column = 1; column < 10; ++column) {
    const float edge = cell_edge_x(kArea, kWhole, column);
    const auto cell_of_pixel = [&](float pixel) {
      return std::floor((pixel + 0.5f - kArea.left) / kArea.width() * 10);
    };
    EXPECT_EQ(cell_of_pixel(edge), column);
    EXPECT_EQ(cell_of_pixel(edge - 1), column - 1);
  }
}

TEST(CellGrid, RectsTileTheArea) {
  float right = kArea.left;
  for (int column = 0; column < 10; ++column) {
    const Rect rect = cell_rect(kArea, kWhole, {column, 3});
    EXPECT_EQ(rect.left, right);
    right = rect.right;
  }
  EXPECT_EQ(right, kArea.right);
  EXPECT_EQ(cell_range_rect(kArea, kWhole, {0, 0}, {10, 9}), kArea);
}

TEST(CellGrid, EveryPixelOfACellFindsIt) {
  for (int row = 0; row < 9; ++row) {
    const Rect rect = cell_rect(kArea, kWhole, {4, row});
    for (float y = rect.top; y < rect.bottom; ++y) {
      EXPECT_EQ(cell_at(kArea, kWhole, 10, 9, {rect.left + 0.5f, y + 0.5f}), (Cell{4, row}));
    }
  }
}

TEST(CellGrid, NoCellOutside) {
  EXPECT_FALSE(cell_at(kArea, kWhole, 10, 9, {9, 30}));
  EXPECT_FALSE(cell_at(kArea, kWhole, 10, 9, {kArea.right, 30}));
  EXPECT_FALSE(cell_at({0, 0, 0, 0}, kWhole, 10, 9, {0, 0}));
  EXPECT_FALSE(cell_at(kArea, {8, 0, 10, 9}, 10, 9, {40, 30}));  // shown, but beyond the matrix
}

}  // namespace
}  // namespace gemmscope::drawing
