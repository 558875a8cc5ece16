// A frame as shapes, text and images instead of pixels, and as SVG. Pure; knows no window system.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "drawing/color.h"
#include "drawing/geometry.h"

namespace gemmscope::drawing {

struct VectorPolygon {
  std::vector<Point> points;  // convex
  Color color;
};

struct VectorText {
  Point baseline;   // where its first letter stands
  float width = 0;  // of the line as it was laid out, pixels
  float em = 0;     // font size, pixels
  bool mono = false, strong = false;
  Color color;
  std::string text;  // UTF-8
};

// Coloured cells, each a rectangle of equal size.
struct VectorCells {
  Rect rect;
  int columns = 0, rows = 0;
  std::vector<Color> cells;  // row-major
};

struct VectorItem {
  Rect clip;
  std::variant<VectorPolygon, VectorText, VectorCells> what;
};

struct VectorPicture {
  Size size;
  Color background;
  std::vector<VectorItem> items;  // from back to front
};

// `part` of the picture, as an SVG 1.1 file that needs no other file. Text stays text, in Inter and JetBrains
// Mono or, where these are not installed, in the viewer's own fonts at the same width.
std::string svg_of(const VectorPicture& picture, Rect part);

}  // namespace gemmscope::drawing
