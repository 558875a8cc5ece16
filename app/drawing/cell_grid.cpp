#include "drawing/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace gemmscope::drawing {
namespace {

// The first pixel whose centre lies at or beyond the edge: where nearest sampling changes to the next cell.
float edge(float begin, float length, double first, double shown, int index) {
  return begin + static_cast<float>(std::ceil((index - first) / shown * length - 0.5));
}

}  // namespace

float cell_edge_x(Rect area, const CellView& view, int column) {
  return edge(area.left, area.width(), view.column, view.columns, column);
}

float cell_edge_y(Rect area, const CellView& view, int row) {
  return edge(area.top, area.height(), view.row, view.rows, row);
}

Rect cell_rect(Rect area, const CellView& view, Cell cell) {
  return cell_range_rect(area, view, cell, {cell.column + 1, cell.row + 1});
}

Rect cell_range_rect(Rect area, const CellView& view, Cell first, Cell last) {
  return {cell_edge_x(area, view, first.column), cell_edge_y(area, view, first.row),
          cell_edge_x(area, view, last.column), cell_edge_y(area, view, last.row)};
}

std::optional<Cell> cell_at(Rect area, const CellView& view, int columns, int rows, Point point) {
  if (area.empty() || !area.contains(point)) return std::nullopt;
  const double column = view.column + static_cast<double>(point.x - area.left) / area.width() * view.columns;
  const double row = view.row + static_cast<double>(point.y - area.top) / area.height() * view.rows;
  const Cell cell{static_cast<int>(std::floor(column)), static_cast<int>(std::floor(row))};
  if (cell.column < 0 || cell.row < 0 || cell.column >= columns || cell.row >= rows) return std::nullopt;
  return cell;
}

}  // namespace gemmscope::drawing
