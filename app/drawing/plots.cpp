#include "drawing/plots.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace gemmscope::drawing {
namespace {

constexpr float kBarRowPoints = 20, kBarGapPoints = 6;

double greatest(std::span<const Bar> bars) {
  double max = 0;
  for (const Bar& bar : bars) max = std::max({max, bar.value, bar.high, bar.reference});
  return max;
}

float x_of(Rect track, double value, double max) {
  return track.left + static_cast<float>(std::clamp(value / max, 0.0, 1.0)) * track.width();
}

void draw_bar_marks(Canvas& canvas, const BarRow& row, const Bar& bar, double max) {
  const float middle = std::floor(row.track.center().y);
  if (bar.high > bar.low) {
    const float from = x_of(row.track, bar.low, max), to = x_of(row.track, bar.high, max), cap = canvas.px(3);
    const Color ink = color(Role::text_strong);
    canvas.line({from, middle}, {to, middle}, ink, canvas.px(1));
    canvas.line({from, middle - cap}, {from, middle + cap}, ink, canvas.px(1));
    canvas.line({to, middle - cap}, {to, middle + cap}, ink, canvas.px(1));
  }
  if (bar.reference >= 0) {
    const float x = std::floor(x_of(row.track, bar.reference, max));
    canvas.line({x, row.track.top - canvas.px(2)}, {x, row.track.bottom + canvas.px(2)},
                color(Role::text_strong), canvas.px(2));
  }
}

// Anti-aliased pieces would leave seams. Without anti-aliasing there are steps, which the line on top hides.
void fill_below(Canvas& canvas, std::span<const Point> points, float bottom, Color fill) {
  ImDrawList& list = canvas.draw_list();
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point a = points[i], b = points[i + 1];
    list.AddQuadFilled(canvas.to_screen(a), canvas.to_screen(b), canvas.to_screen({b.x, bottom}),
                       canvas.to_screen({a.x, bottom}), packed(fill));
  }
  list.Flags = flags;
}

}  // namespace

float bars_height(const Canvas& canvas, int count) {
  return static_cast<float>(count) * (canvas.px(kBarRowPoints) + canvas.px(kBarGapPoints));
}

int bar_at(const Canvas& canvas, Rect area, int count, Point point) {
  if (!area.contains(point)) return -1;
  const int row =
      static_cast<int>((point.y - area.top) / (canvas.px(kBarRowPoints) + canvas.px(kBarGapPoints)));
  return row < count ? row : -1;
}

float draw_bars(Canvas& canvas, Rect area, std::span<const Bar> bars, double max) {
  if (max <= 0) max = greatest(bars);
  if (max <= 0) max = 1;
  float label_width = 0, value_width = 0;
  std::vector<double> values;
  for (const Bar& bar : bars) {
    label_width = std::max(label_width, canvas.text_width(bar.label, FontRole::body));
    value_width = std::max(value_width, canvas.text_width(bar.value_text, FontRole::mono));
    values.push_back(bar.value);
  }
  label_width = std::min(label_width + canvas.px(12), area.width() * 0.4f);
  value_width = std::min(value_width + canvas.px(12), area.width() * 0.35f);
  const std::vector<BarRow> rows =
      layout_bars(area, values, max, std::floor(label_width), std::floor(value_width),
                  canvas.px(kBarRowPoints), canvas.px(kBarGapPoints));
  const float radius = canvas.px(3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BarRow& row = rows[i];
    const Bar& bar = bars[i];
    const float inset = canvas.px(3);
    canvas.text(row.label.inset(0, 0), bar.label, color(bar.strong ? Role::text_strong : Role::text),
                {bar.strong ? FontRole::body_strong : FontRole::body});
    canvas.fill_round_rect(row.track.inset(0, inset), color(Role::control), radius);
    canvas.fill_round_rect(row.bar.inset(0, inset), bar.color, std::min(radius, row.bar.width() / 2));
    draw_bar_marks(canvas, row, bar, max);
    canvas.text(row.value, bar.value_text, color(bar.strong ? Role::text_strong : Role::text),
                {FontRole::mono, AlignX::right});
  }
  return bars_height(canvas, static_cast<int>(bars.size()));
}

int draw_stack(Canvas& canvas, Rect area, std::span<const StackPart> parts, double total) {
  std::vector<double> values;
  for (const StackPart& part : parts) values.push_back(part.value);
  const std::vector<Rect> rects = layout_stack(area, values, total);
  canvas.fill_rect(area, color(Role::control));
  int under_mouse = -1;
  for (std::size_t i = 0; i < rects.size(); ++i) {
    Rect rect = rects[i];
    const bool hovered = canvas.hovered() && rect.contains(canvas.mouse());
    if (hovered) under_mouse = static_cast<int>(i);
    // Leaves a gap between the parts where there is room for one.
    if (rect.width() > canvas.px(4)) rect.right -= canvas.px(1);
    canvas.fill_rect(rect, hovered ? mix(parts[i].color, color(Role::text_strong), 0.25f) : parts[i].color);
    const Rect room = rect.inset(canvas.px(6), 0);
    if (canvas.text_width(parts[i].label, FontRole::small) <= room.width()) {
      canvas.text(room, parts[i].label, readable_on(parts[i].color), {FontRole::small, AlignX::center});
    }
  }
  return under_mouse;
}

float draw_legend(Canvas& canvas, Rect area, std::span<const StackPart> parts) {
  const float row_height = canvas.line_height(FontRole::small) + canvas.px(4), dot = canvas.px(8);
  Point at = area.top_left();
  for (const StackPart& part : parts) {
    const float width = dot + canvas.px(6) + canvas.text_width(part.label, FontRole::small);
    if (at.x > area.left && at.x + width > area.right) at = {area.left, at.y + row_height};
    Rect row = Rect::at(at, {std::min(width + 1, area.right - at.x), row_height});
    const Rect mark = row.cut_left(dot);
    const float top = std::round(mark.center().y - dot / 2);
    canvas.fill_round_rect(Rect::at({mark.left, top}, {dot, dot}), part.color, canvas.px(2));
    row.cut_left(canvas.px(6));
    canvas.text(row, part.label, color(Role::text_dim), {FontRole::small});
    at.x += width + canvas.px(14);
  }
  return at.y + row_height - area.top;
}

void draw_sparkline(Canvas& canvas, Rect area, std::span<const float> values, Color line, float min,
                    float max, bool filled) {
  if (values.empty()) return;
  if (min == max) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    min = *low, max = *high;
  }
  const std::vector<Point> points = layout_sparkline(area, values, min, max);
  if (filled) fill_below(canvas, points, area.bottom, with_opacity(line, 0.18f));
  canvas.polyline(points, line, canvas.px(1.5f));
}

void draw_density(Canvas& canvas, Rect area, std::span<const std::uint32_t> counts,
                  std::span<const Color> colors) {
  if (colors.empty()) return;
  const int categories = static_cast<int>(colors.size()),
            buckets = static_cast<int>(counts.size() / colors.size());
  std::vector<ColoredRect> rects;
  for (const DensityColumn& column : layout_density(area, counts, buckets, categories)) {
    rects.push_back({{column.left, column.top, column.right, column.bottom}, colors[column.category]});
  }
  canvas.fill_rects(rects);
}

void draw_heat_legend(Canvas& canvas, Rect area, std::string_view low, std::string_view high) {
  const float line = canvas.line_height(FontRole::small);
  canvas.text(area.cut_top(line), high, color(Role::text_dim), {FontRole::small, AlignX::left});
  canvas.text(area.cut_bottom(line), low, color(Role::text_dim), {FontRole::small, AlignX::left});
  const Rect strip = area.inset(0, canvas.px(3)).cut_left(canvas.px(12));
  std::vector<ColoredRect> steps;
  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i) {
    const auto at = [&](int step) {
      return std::round(strip.bottom - strip.height() * static_cast<float>(step) / kSteps);
    };
    steps.push_back(
        {{strip.left, at(i + 1), strip.right, at(i)}, heat_color(static_cast<float>(i) / (kSteps - 1))});
  }
  canvas.fill_rects(steps);
}

}  // namespace gemmscope::drawing
