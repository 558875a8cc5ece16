// Points and rectangles in pixels, y downwards. Scenes lay out with these and canvases draw them; no window
// system is needed.
#pragma once

#include <algorithm>

namespace gemmscope::drawing {

struct Point {
  float x = 0, y = 0;
  friend bool operator==(Point, Point) = default;
};

struct Size {
  float width = 0, height = 0;
  friend bool operator==(Size, Size) = default;
};

// Half-open: a point on `right` or `bottom` is outside, so that neighbours never share a pixel.
struct Rect {
  float left = 0, top = 0, right = 0, bottom = 0;

  static constexpr Rect at(Point corner, Size size) {
    return {corner.x, corner.y, corner.x + size.width, corner.y + size.height};
  }

  constexpr float width() const { return right - left; }
  constexpr float height() const { return bottom - top; }
  constexpr Size size() const { return {width(), height()}; }
  constexpr Point top_left() const { return {left, top}; }
  constexpr Point bottom_right() const { return {right, bottom}; }
  constexpr Point center() const { return {(left + right) / 2, (top + bottom) / 2}; }
  constexpr bool empty() const { return right <= left || bottom <= top; }
  constexpr bool contains(Point p) const { return p.x >= left && p.x < right && p.y >= top && p.y < bottom; }
  constexpr Rect inset(float dx, float dy) const { return {left + dx, top + dy, right - dx, bottom - dy}; }
  constexpr Rect inset(float margin) const { return inset(margin, margin); }
  constexpr Rect moved(float dx, float dy) const { return {left + dx, top + dy, right + dx, bottom + dy}; }
  constexpr Rect intersected(Rect other) const {
    return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
            std::min(bottom, other.bottom)};
  }

  // Each takes a strip off one side and returns it; the rest stays in *this.
  constexpr Rect cut_left(float amount) {
    const float edge = std::min(left + amount, right);
    const Rect strip{left, top, edge, bottom};
    left = edge;
    return strip;
  }
  constexpr Rect cut_right(float amount) {
    const float edge = std::max(right - amount, left);
    const Rect strip{edge, top, right, bottom};
    right = edge;
    return strip;
  }
  constexpr Rect cut_top(float amount) {
    const float edge = std::min(top + amount, bottom);
    const Rect strip{left, top, right, edge};
    top = edge;
    return strip;
  }
  constexpr Rect cut_bottom(float amount) {
    const float edge = std::max(bottom - amount, top);
    const Rect strip{left, edge, right, bottom};
    bottom = edge;
    return strip;
  }

  friend bool operator==(Rect, Rect) = default;
};

enum class AlignX : unsigned char { left, center, right };
enum class AlignY : unsigned char { top, center, bottom };

}  // namespace gemmscope::drawing
