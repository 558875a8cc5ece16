#include <imgui.h>

#include <cmath>
#include <vector>

#include "drawing/canvas.h"

namespace gemmscope::drawing {
namespace {

// Dear ImGui indexes vertices with 16 bits: one reservation holds at most 65536 of them.
constexpr std::size_t kRectsPerReservation = 8192;

// Converts the corners of a shape whose sides may lie between pixels.
std::vector<ImVec2> to_screen(const Canvas& canvas, std::span<const Point> points) {
  std::vector<ImVec2> result;
  result.reserve(points.size());
  for (const Point p : points) result.push_back(canvas.to_screen(p));
  return result;
}

template <typename RectOf, typename ColorOf>
void reserve_and_fill(const Canvas& canvas, ImDrawList& list, std::size_t count, RectOf rect_of,
                      ColorOf color_of) {
  for (std::size_t begin = 0; begin < count; begin += kRectsPerReservation) {
    const std::size_t end = std::min(count, begin + kRectsPerReservation);
    const int rects = static_cast<int>(end - begin);
    list.PrimReserve(rects * 6, rects * 4);
    for (std::size_t i = begin; i < end; ++i) {
      const Rect r = rect_of(i);
      list.PrimRect(canvas.to_screen(r.top_left()), canvas.to_screen(r.bottom_right()), packed(color_of(i)));
    }
  }
}

}  // namespace

void Canvas::fill_rect(Rect rect, Color color) {
  if (rect.empty()) return;
  list_->AddRectFilled(to_screen(rect.top_left()), to_screen(rect.bottom_right()), packed(color));
}

void Canvas::fill_rects(std::span<const ColoredRect> rects) {
  reserve_and_fill(
      *this, *list_, rects.size(), [&](std::size_t i) { return rects[i].rect; },
      [&](std::size_t i) { return rects[i].color; });
}

void Canvas::fill_rects(std::span<const Rect> rects, Color color) {
  reserve_and_fill(
      *this, *list_, rects.size(), [&](std::size_t i) { return rects[i]; },
      [&](std::size_t) { return color; });
}

void Canvas::stroke_rect(Rect rect, Color color, float thickness) {
  if (rect.empty()) return;
  const float t = std::min({thickness, rect.width() / 2, rect.height() / 2});
  const Rect sides[] = {{rect.left, rect.top, rect.right, rect.top + t},
                        {rect.left, rect.bottom - t, rect.right, rect.bottom},
                        {rect.left, rect.top + t, rect.left + t, rect.bottom - t},
                        {rect.right - t, rect.top + t, rect.right, rect.bottom - t}};
  fill_rects(sides, color);
}

void Canvas::fill_round_rect(Rect rect, Color color, float radius) {
  if (rect.empty()) return;
  list_->AddRectFilled(to_screen(rect.top_left()), to_screen(rect.bottom_right()), packed(color), radius);
}

void Canvas::stroke_round_rect(Rect rect, Color color, float radius, float thickness) {
  if (rect.empty()) return;
  // Dear ImGui strokes half a pixel inside the given corners already.
  const Rect r = rect.inset((thickness - 1) / 2);
  list_->AddRect(to_screen(r.top_left()), to_screen(r.bottom_right()), packed(color), radius, 0, thickness);
}

void Canvas::fill_circle(Point center, float radius, Color color) {
  list_->AddCircleFilled(to_screen(center), radius, packed(color));
}

void Canvas::stroke_circle(Point center, float radius, Color color, float thickness) {
  list_->AddCircle(to_screen(center), radius, packed(color), 0, thickness);
}

void Canvas::fill_triangle(Point a, Point b, Point c, Color color) {
  list_->AddTriangleFilled(to_screen(a), to_screen(b), to_screen(c), packed(color));
}

void Canvas::hatch(Rect rect, Color color, float spacing, float thickness) {
  if (rect.empty()) return;
  const float step = std::max(2.0f, std::round(px(spacing)));
  // x + y is constant on a line; multiples of the step join the lines of neighbouring rectangles.
  for (float sum = std::ceil((rect.left + rect.top) / step) * step; sum < rect.right + rect.bottom;
       sum += step) {
    const Point low{std::max(rect.left, sum - rect.bottom), std::min(rect.bottom, sum - rect.left)};
    const Point high{std::min(rect.right, sum - rect.top), std::max(rect.top, sum - rect.right)};
    list_->AddLine(to_screen(low), to_screen(high), packed(color), px(thickness));
  }
}

void Canvas::line(Point from, Point to, Color color, float thickness) {
  const float half = std::floor(thickness / 2);
  if (from.y == to.y) {
    const float y = std::floor(from.y) - half;
    fill_rect({std::min(from.x, to.x), y, std::max(from.x, to.x), y + thickness}, color);
  } else if (from.x == to.x) {
    const float x = std::floor(from.x) - half;
    fill_rect({x, std::min(from.y, to.y), x + thickness, std::max(from.y, to.y)}, color);
  } else {
    list_->AddLine(to_screen(from), to_screen(to), packed(color), thickness);
  }
}

void Canvas::polyline(std::span<const Point> points, Color color, float thickness) {
  const std::vector<ImVec2> screen = drawing::to_screen(*this, points);
  list_->AddPolyline(screen.data(), static_cast<int>(screen.size()), packed(color), 0, thickness);
}

void Canvas::curve(Point from, Point from_control, Point to_control, Point to, Color color, float thickness) {
  list_->AddBezierCubic(to_screen(from), to_screen(from_control), to_screen(to_control), to_screen(to),
                        packed(color), thickness);
}

void Canvas::arrow(Point from, Point to, Color color, float thickness, float head) {
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (length < 1) return;
  const Point along{dx / length, dy / length}, across{-along.y, along.x};
  const float reach = std::min(head, length), spread = reach * 0.5f;
  const Point neck{to.x - along.x * reach, to.y - along.y * reach};
  line(from, neck, color, thickness);
  fill_triangle(to, {neck.x + across.x * spread, neck.y + across.y * spread},
                {neck.x - across.x * spread, neck.y - across.y * spread}, color);
}

}  // namespace gemmscope::drawing
