#include "drawing/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace gemmscope::drawing {
namespace {

constexpr double kFewestCells = 4;

// The first pixel whose centre lies at or beyond the edge: where nearest sampling changes to the next cell.
float edge(float begin, float length, double first, double shown, int index) {
  return begin + static_cast<float>(std::ceil((index - first) / shown * length - 0.5));
}

CellView inside(CellView view, int columns, int rows) {
  view.columns = std::min<double>(view.columns, columns);
  view.rows = std::min<double>(view.rows, rows);
  view.column = std::clamp(view.column, 0.0, columns - view.columns);
  view.row = std::clamp(view.row, 0.0, rows - view.rows);
  return view;
}

}  // namespace

Rect fit_cells(Rect area, int columns, int rows) {
  if (columns <= 0 || rows <= 0 || area.empty()) return Rect::at(area.top_left(), {});
  float side = std::min(area.width() / static_cast<float>(columns), area.height() / static_cast<float>(rows));
  if (side >= 1) side = std::floor(side);
  const Size size{std::max(1.0f, std::round(side * static_cast<float>(columns))),
                  std::max(1.0f, std::round(side * static_cast<float>(rows)))};
  return Rect::at({std::floor(area.left + (area.width() - size.width) / 2),
                   std::floor(area.top + (area.height() - size.height) / 2)},
                  size);
}

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

CellView zoomed(Rect area, CellView view, int columns, int rows, Point anchor, double factor) {
  if (area.empty() || !(factor > 0)) return view;
  // Width and height scale by the same factor, so that cells keep their shape.
  const double most = std::min(view.columns / std::min<double>(kFewestCells, columns),
                               view.rows / std::min<double>(kFewestCells, rows));
  const double least = std::max(view.columns / columns, view.rows / rows);
  const double change = 1 / std::clamp(factor, std::min(least, 1.0), std::max(most, 1.0));
  const double across = static_cast<double>(anchor.x - area.left) / area.width();
  const double down = static_cast<double>(anchor.y - area.top) / area.height();
  view.column += across * view.columns * (1 - change);
  view.row += down * view.rows * (1 - change);
  view.columns *= change;
  view.rows *= change;
  return inside(view, columns, rows);
}

CellView panned(Rect area, CellView view, int columns, int rows, Point distance) {
  if (area.empty()) return view;
  view.column -= static_cast<double>(distance.x) / area.width() * view.columns;
  view.row -= static_cast<double>(distance.y) / area.height() * view.rows;
  return inside(view, columns, rows);
}

}  // namespace gemmscope::drawing
