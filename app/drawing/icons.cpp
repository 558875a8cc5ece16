#include "drawing/icons.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gemmscope::drawing {
namespace {

// Icons are designed in a box of 16 × 16 units; a pen maps units to pixels.
class Pen {
 public:
  Pen(Canvas& canvas, Rect rect, Color color) : canvas_(canvas), color_(color) {
    const float side = std::floor(std::min(rect.width(), rect.height()));
    unit_ = side / 16;
    left_ = std::round(rect.center().x - side / 2);
    top_ = std::round(rect.center().y - side / 2);
    stroke_ = std::max(1.0f, std::round(unit_ * 1.5f * 2) / 2);
  }

  // Draws a bar whose vertical edges lie on whole pixels.
  void bar(float left, float top, float right, float bottom) {
    const Point a = snapped(left, top), b = snapped(right, bottom);
    canvas_.fill_rect({a.x, a.y, std::max(b.x, a.x + 1), std::max(b.y, a.y + 1)}, color_);
  }
  void triangle(Point a, Point b, Point c) { canvas_.fill_triangle(at(a), at(b), at(c), color_); }
  void line(Point a, Point b) { canvas_.draw_list().AddLine(screen(a), screen(b), packed(color_), stroke_); }
  template <std::size_t N>
  void path(const std::array<Point, N>& points) {
    std::array<Point, N> pixels;
    std::transform(points.begin(), points.end(), pixels.begin(), [&](Point p) { return at(p); });
    canvas_.polyline(pixels, color_, stroke_);
  }
  void circle(Point center, float radius) {
    canvas_.stroke_circle(at(center), radius * unit_, color_, stroke_);
  }
  void dot(Point center, float radius) { canvas_.fill_circle(at(center), radius * unit_, color_); }
  void frame(float left, float top, float right, float bottom, float radius) {
    const Point a = snapped(left, top), b = snapped(right, bottom);
    canvas_.stroke_round_rect({a.x, a.y, b.x, b.y}, color_, radius * unit_, stroke_);
  }
  // Angles are in degrees, clockwise from the right.
  void arc(Point center, float radius, float from_degrees, float to_degrees) {
    constexpr float kRadians = std::numbers::pi_v<float> / 180;
    ImDrawList& list = canvas_.draw_list();
    list.PathArcTo(screen(center), radius * unit_, from_degrees * kRadians, to_degrees * kRadians, 24);
    list.PathStroke(packed(color_), 0, stroke_);
  }
  // Draws a straight line, a half circle and a straight line back, in one stroke.
  void hook(Point from, Point center, float radius, Point to, bool leftwards);
  void crescent();

 private:
  Point at(Point p) const { return {left_ + p.x * unit_, top_ + p.y * unit_}; }
  Point snapped(float x, float y) const {
    return {std::round(left_ + x * unit_), std::round(top_ + y * unit_)};
  }
  ImVec2 screen(Point p) const { return canvas_.to_screen(at(p)); }

  Canvas& canvas_;
  Color color_;
  float unit_ = 1, left_ = 0, top_ = 0, stroke_ = 1;
};

// Draws an outer half circle and an inner arc as one stroked outline.
void Pen::crescent() {
  ImDrawList& list = canvas_.draw_list();
  constexpr float kRadians = std::numbers::pi_v<float> / 180;
  list.PathArcTo(screen({7.5f, 8.5f}), 5.5f * unit_, 20 * kRadians, 290 * kRadians, 28);
  list.PathArcTo(screen({11.2f, 4.8f}), 4.6f * unit_, 205 * kRadians, 65 * kRadians, 20);
  list.PathStroke(packed(color_), ImDrawFlags_Closed, stroke_);
}

void Pen::hook(Point from, Point center, float radius, Point to, bool leftwards) {
  ImDrawList& list = canvas_.draw_list();
  constexpr float kQuarter = std::numbers::pi_v<float> / 2;
  list.PathLineTo(screen(from));
  list.PathArcTo(screen(center), radius * unit_, -kQuarter, leftwards ? -3 * kQuarter : kQuarter, 20);
  list.PathLineTo(screen(to));
  list.PathStroke(packed(color_), 0, stroke_);
}

void play_right(Pen& pen, float left, float right) { pen.triangle({left, 3}, {right, 8}, {left, 13}); }
void play_left(Pen& pen, float left, float right) { pen.triangle({right, 3}, {right, 13}, {left, 8}); }

void sun(Pen& pen) {
  pen.circle({8, 8}, 3);
  for (int ray = 0; ray < 8; ++ray) {
    const float angle = static_cast<float>(ray) * std::numbers::pi_v<float> / 4;
    const float x = std::cos(angle), y = std::sin(angle);
    pen.line({8 + 5.2f * x, 8 + 5.2f * y}, {8 + 7 * x, 8 + 7 * y});
  }
}

void conflict_mark(Pen& pen, bool forward) {
  // A conflict is two lanes meeting at one bank: an X before (or after) an edge.
  const float center = forward ? 6 : 10;
  pen.line({center - 3.5f, 4.5f}, {center + 3.5f, 11.5f});
  pen.line({center - 3.5f, 11.5f}, {center + 3.5f, 4.5f});
  pen.bar(forward ? 12.5f : 2, 3, forward ? 14 : 3.5f, 13);
}

void turned_arrow(Pen& pen, bool redo) {
  const auto x = [redo](float value) { return redo ? 16 - value : value; };
  pen.path(std::array<Point, 3>{{{x(6), 2.5f}, {x(2.5f), 6}, {x(6), 9.5f}}});
  pen.hook({x(2.5f), 6}, {x(9.5f), 9.75f}, 3.75f, {x(6), 13.5f}, redo);
}

void processor(Pen& pen) {
  pen.frame(4, 4, 12, 12, 1);
  for (const float at : {6.0f, 10.0f}) {
    pen.line({at, 1.5f}, {at, 4}), pen.line({at, 12}, {at, 14.5f});
    pen.line({1.5f, at}, {4, at}), pen.line({12, at}, {14.5f, at});
  }
}

void question(Pen& pen) {
  pen.circle({8, 8}, 6.5f);
  pen.arc({8, 6.4f}, 2, -200, 60);
  pen.line({8.6f, 8.2f}, {8, 9.6f});
  pen.dot({8, 11.6f}, 0.9f);
}

void draw_transport(Pen& pen, Icon icon) {
  switch (icon) {
    case Icon::play:
      play_right(pen, 4, 13.5f);
      break;
    case Icon::pause:
      pen.bar(4, 3, 7, 13), pen.bar(9, 3, 12, 13);
      break;
    case Icon::step_forward:
      play_right(pen, 3, 11), pen.bar(11.5f, 3, 13, 13);
      break;
    case Icon::step_back:
      play_left(pen, 5, 13), pen.bar(3, 3, 4.5f, 13);
      break;
    case Icon::to_start:
      play_left(pen, 3.5f, 8.5f), play_left(pen, 8.5f, 13.5f), pen.bar(2, 3, 3.5f, 13);
      break;
    case Icon::to_end:
      play_right(pen, 2.5f, 7.5f), play_right(pen, 7.5f, 12.5f), pen.bar(12.5f, 3, 14, 13);
      break;
    case Icon::next_conflict:
      conflict_mark(pen, true);
      break;
    case Icon::previous_conflict:
      conflict_mark(pen, false);
      break;
    case Icon::next_wait:
      pen.circle({6.5f, 8}, 4.5f), pen.path(std::array<Point, 3>{{{6.5f, 5.5f}, {6.5f, 8}, {8.5f, 8}}}),
          pen.bar(13, 3, 14.5f, 13);
      break;
    case Icon::loop:
      pen.arc({8, 8}, 5.5f, -50, 220), pen.triangle({8.5f, 0.8f}, {13.2f, 3.4f}, {8.8f, 6.2f});
      break;
    default:
      break;
  }
}

void draw_sign(Pen& pen, Icon icon) {
  switch (icon) {
    case Icon::undo:
      turned_arrow(pen, false);
      break;
    case Icon::redo:
      turned_arrow(pen, true);
      break;
    case Icon::search:
      pen.circle({7, 7}, 4.5f), pen.line({10.3f, 10.3f}, {14, 14});
      break;
    case Icon::plus:
      pen.bar(7.25f, 3, 8.75f, 13), pen.bar(3, 7.25f, 13, 8.75f);
      break;
    case Icon::minus:
      pen.bar(3, 7.25f, 13, 8.75f);
      break;
    case Icon::close:
      pen.line({4, 4}, {12, 12}), pen.line({4, 12}, {12, 4});
      break;
    case Icon::check:
      pen.path(std::array<Point, 3>{{{3, 8.5f}, {6.5f, 12}, {13, 4.5f}}});
      break;
    case Icon::chevron_right:
      pen.path(std::array<Point, 3>{{{6, 4}, {10, 8}, {6, 12}}});
      break;
    case Icon::chevron_down:
      pen.path(std::array<Point, 3>{{{4, 6}, {8, 10}, {12, 6}}});
      break;
    case Icon::more:
      pen.dot({3.5f, 8}, 1.3f), pen.dot({8, 8}, 1.3f), pen.dot({12.5f, 8}, 1.3f);
      break;
    case Icon::info:
      pen.circle({8, 8}, 6.5f), pen.bar(7.25f, 7, 8.75f, 11.5f), pen.dot({8, 4.8f}, 1);
      break;
    case Icon::warning:
      pen.path(std::array<Point, 4>{{{8, 2}, {15, 14}, {1, 14}, {8, 2}}}), pen.bar(7.25f, 6.5f, 8.75f, 10),
          pen.dot({8, 12}, 0.9f);
      break;
    default:
      break;
  }
}

void draw_object(Pen& pen, Icon icon) {
  switch (icon) {
    case Icon::compare:
      pen.frame(1.5f, 3, 7, 13, 1), pen.frame(9, 3, 14.5f, 13, 1);
      break;
    case Icon::camera:
      pen.frame(1.5f, 4.5f, 14.5f, 13.5f, 1.5f), pen.circle({8, 9}, 2.6f), pen.bar(5.5f, 2.5f, 10.5f, 4.5f);
      break;
    case Icon::sun:
      sun(pen);
      break;
    case Icon::moon:
      pen.crescent();
      break;
    case Icon::pin:
      pen.circle({8, 6}, 3.6f), pen.line({8, 9.6f}, {8, 14.5f});
      break;
    case Icon::fit:
      for (const float x : {2.0f, 14.0f}) {
        for (const float y : {2.0f, 14.0f}) {
          pen.path(std::array<Point, 3>{{{x, y < 8 ? y + 4 : y - 4}, {x, y}, {x < 8 ? x + 4 : x - 4, y}}});
        }
      }
      break;
    case Icon::gpu:
      processor(pen);
      break;
    case Icon::code:
      pen.path(std::array<Point, 3>{{{5, 4}, {1.5f, 8}, {5, 12}}}),
          pen.path(std::array<Point, 3>{{{11, 4}, {14.5f, 8}, {11, 12}}}), pen.line({9.2f, 3}, {6.8f, 13});
      break;
    case Icon::help:
      question(pen);
      break;
    default:
      break;
  }
}

}  // namespace

void draw_icon(Canvas& canvas, Icon icon, Rect rect, Color color) {
  Pen pen(canvas, rect, color);
  draw_transport(pen, icon);
  draw_sign(pen, icon);
  draw_object(pen, icon);
}

}  // namespace gemmscope::drawing
