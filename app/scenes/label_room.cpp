#include "scenes/label_room.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gemmscope::scenes {

using drawing::Point;
using drawing::Rect;

namespace {

constexpr int kLinePieces = 48;
constexpr int kDirections = 24;  // in which a leader may go
constexpr int kDistances = 9;

// The point of a rectangle that is nearest to `from`.
Point nearest_point(Rect rect, Point from) {
  return {std::clamp(from.x, rect.left, rect.right), std::clamp(from.y, rect.top, rect.bottom)};
}

Point along(Point from, Point to, float share) {
  return {std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share)};
}

}  // namespace

void LabelRoom::take_line(Point from, Point to) {
  for (int i = 0; i < kLinePieces; ++i) {
    const Point a = along(from, to, static_cast<float>(i) / kLinePieces);
    const Point b = along(from, to, static_cast<float>(i + 1) / kLinePieces);
    lines_.push_back({std::min(a.x, b.x) - 0.5f, std::min(a.y, b.y) - 0.5f, std::max(a.x, b.x) + 0.5f,
                      std::max(a.y, b.y) + 0.5f});
  }
}

bool LabelRoom::is_free(Rect rect) const {
  const auto apart = [&](const Rect& other) { return rect.intersected(other).empty(); };
  return is_free_but_for_lines(rect) && std::ranges::all_of(lines_, apart);
}

bool LabelRoom::is_free_but_for_lines(Rect rect) const {
  if (rect.left < area_.left || rect.right > area_.right || rect.top < area_.top ||
      rect.bottom > area_.bottom)
    return false;
  const auto apart = [&](const Rect& other) { return rect.intersected(other).empty(); };
  return std::ranges::all_of(taken_, apart) && std::ranges::all_of(marks_, apart);
}

Rect LabelRoom::first_free(const std::vector<Rect>& places) {
  for (const Rect& place : places)
    if (is_free(place)) return take(place), place;
  return {};
}

bool LabelRoom::is_clear(const std::vector<Rect>& obstacles, Point from, Point to) const {
  for (int i = 1; i < kLinePieces; ++i) {
    const Point p = along(from, to, static_cast<float>(i) / kLinePieces);
    for (const Rect& rect : obstacles)
      if (rect.contains(p)) return false;
  }
  return true;
}

// Without a leader a label belongs to the mark that is nearest.
bool LabelRoom::is_nearest(Rect rect, Point mark) const {
  const auto distance = [&](Point p) {
    const Point near = nearest_point(rect, p);
    return std::hypot(near.x - p.x, near.y - p.y);
  };
  return std::ranges::all_of(marks_, [&](const Rect& other) {
    const Point center = other.center();
    return std::hypot(center.x - mark.x, center.y - mark.y) < 0.5f || distance(center) > distance(mark) + 1;
  });
}

LabelPlace LabelRoom::with_leader(Point at, float width, float reach, bool over_marks) {
  const Rect own = Rect{at.x, at.y, at.x, at.y}.inset(-reach);
  std::vector<Rect> others;  // marks apart from this one
  for (const Rect& mark : marks_)
    if (mark.intersected(own).empty()) others.push_back(mark);
  for (int ring = 0; ring < kDistances; ++ring)
    for (int i = 0; i < kDirections; ++i) {
      const double angle = 2 * std::numbers::pi * i / kDirections;
      const auto x = static_cast<float>(std::cos(angle)), y = static_cast<float>(std::sin(angle));
      const float distance = reach + height_ * (0.8f + 0.8f * static_cast<float>(ring));
      const Point center{at.x + x * (distance + width / 2), at.y + y * (distance + height_ / 2)};
      const Rect rect =
          Rect::at({center.x - width / 2, std::round(center.y - height_ / 2)}, {width, height_});
      if (!is_free(rect)) continue;
      const Point to = nearest_point(rect, at);
      const float length = std::hypot(to.x - at.x, to.y - at.y);
      if (length <= reach) continue;
      const Point from = along(at, to, 0.6f * reach / length);
      if (!is_clear(taken_, from, to) || (!over_marks && !is_clear(others, from, to))) continue;
      take(rect);
      take_line(from, to);
      return {rect, from, to};
    }
  return {};
}

LabelPlace LabelRoom::beside(Point at, float width, float reach) {
  for (const float shift : {0.0f, -0.6f, 0.6f})
    for (const bool right : {true, false}) {
      const float left = right ? at.x + reach : at.x - reach - width;
      const Rect rect = Rect::at({left, std::round(at.y - height_ / 2 + shift * height_)}, {width, height_});
      if (is_free(rect) && is_nearest(rect, at)) return take(rect), LabelPlace{rect, {}, {}};
    }
  LabelPlace place = with_leader(at, width, reach, false);
  return place.rect.empty() ? with_leader(at, width, reach, true) : place;
}

}  // namespace gemmscope::scenes
