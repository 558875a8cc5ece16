// Places the cells of a drawn matrix on the screen: whole pixels, hit testing, the visible part. Pure.
#pragma once

#include <optional>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::drawing {

struct Cell {
  int column = 0, row = 0;
  friend bool operator==(Cell, Cell) = default;
};

// The part of a matrix that is shown, in cells; fractions are allowed, for zooming.
struct CellView {
  double column = 0, row = 0;    // of the top left corner
  double columns = 0, rows = 0;  // how many are shown, > 0
};

// Screen coordinate of the line before `index`, rounded to the pixel at which nearest sampling changes cells.
float cell_edge_x(Rect area, const CellView& view, int column);
float cell_edge_y(Rect area, const CellView& view, int row);
Rect cell_rect(Rect area, const CellView& view, Cell cell);
// The rectangle of the cells from first (inclusive) to last (exclusive).
Rect cell_range_rect(Rect area, const CellView& view, Cell first, Cell last);

// The cell under a point, or nothing outside the drawn matrix of columns × rows.
std::optional<Cell> cell_at(Rect area, const CellView& view, int columns, int rows, Point point);

}  // namespace gemmscope::drawing
