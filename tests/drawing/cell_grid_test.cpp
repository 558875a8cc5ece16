#include "drawing/cell_grid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gemmscope::drawing {
namespace {

constexpr Rect kArea{10, 20, 47, 83};  // 37 × 63 pixels: no cell has a whole size
constexpr CellView kWhole{0, 0, 10, 9};

TEST(CellGrid, FitGivesWholeSquarePixels) {
  const Rect fitted = fit_cells({0, 0, 500, 300}, 32, 32);
  EXPECT_EQ(fitted.width(), 9 * 32);
  EXPECT_EQ(fitted.height(), 9 * 32);
  EXPECT_EQ(fitted.left, std::floor((500 - 288) / 2.0f));
}

TEST(CellGrid, FitOfMoreCellsThanPixelsStaysInside) {
  const Rect area{5, 5, 305, 205}, fitted = fit_cells(area, 4096, 4096);
  EXPECT_EQ(fitted.width(), 200);
  EXPECT_GE(fitted.left, area.left);
  EXPECT_LE(fitted.right, area.right);
  EXPECT_TRUE(fit_cells(area, 0, 4).empty());
  EXPECT_GE(fit_cells(area, 4096, 1).height(), 1);
}

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

TEST(CellGrid, ZoomKeepsTheCellUnderTheMouse) {
  const Rect area{0, 0, 400, 400};
  CellView view{0, 0, 64, 64};
  const Point mouse{130, 290};
  const Cell before = *cell_at(area, view, 64, 64, mouse);
  for (int notch = 0; notch < 6; ++notch) {
    view = zoomed(area, view, 64, 64, mouse, 1.25);
    EXPECT_EQ(*cell_at(area, view, 64, 64, mouse), before);
  }
  EXPECT_NEAR(view.columns, 64 / std::pow(1.25, 6), 1e-9);
}

TEST(CellGrid, ZoomHasEnds) {
  const Rect area{0, 0, 400, 400};
  CellView view{0, 0, 64, 64};
  for (int i = 0; i < 100; ++i) view = zoomed(area, view, 64, 64, {1, 1}, 1.5);
  EXPECT_NEAR(view.columns, 4, 1e-6);
  for (int i = 0; i < 100; ++i) view = zoomed(area, view, 64, 64, {399, 1}, 0.7);
  EXPECT_NEAR(view.columns, 64, 1e-6);
  EXPECT_NEAR(view.column, 0, 1e-6);
}

TEST(CellGrid, PanStopsAtTheBorders) {
  const Rect area{0, 0, 100, 100};
  const CellView view{10, 10, 20, 20};
  EXPECT_NEAR(panned(area, view, 64, 64, {-5, 0}).column, 11, 1e-9);
  EXPECT_NEAR(panned(area, view, 64, 64, {1e6f, 0}).column, 0, 1e-9);
  EXPECT_NEAR(panned(area, view, 64, 64, {0, -1e6f}).row, 44, 1e-9);
}

}  // namespace
}  // namespace gemmscope::drawing
