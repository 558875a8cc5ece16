#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "drawing/widgets.h"
#include "views/occupancy_panel.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Point;
using drawing::Rect;
using drawing::Role;

void draw_steps(Canvas& canvas, const std::vector<Point>& points, drawing::Color ink, float thickness) {
  for (size_t i = 1; i < points.size(); ++i) canvas.line(points[i - 1], points[i], ink, thickness);
}

void draw_frame(Canvas& canvas, const scenes::CliffChart& chart) {
  canvas.text(chart.title, chart.title_text, color(Role::text_strong), {FontRole::body});
  canvas.text(chart.now_rect, chart.now_text, color(Role::warning), {FontRole::body_strong, AlignX::right});
  for (size_t i = 0; i < chart.y_ticks.size(); ++i) {
    canvas.line({chart.plot.left, chart.y_ticks[i].position}, {chart.plot.right, chart.y_ticks[i].position},
                color(Role::grid));
    if (!chart.y_labels[i].empty())
      canvas.text(chart.y_labels[i], chart.y_ticks[i].text, color(Role::text_dim),
                  {FontRole::small, AlignX::right});
  }
  for (size_t i = 0; i < chart.x_ticks.size(); ++i) {
    if (chart.x_labels[i].empty()) continue;
    canvas.line({chart.x_ticks[i].position, chart.plot.bottom},
                {chart.x_ticks[i].position, chart.plot.bottom + canvas.px(3)}, color(Role::text_dim));
    canvas.text(chart.x_labels[i], chart.x_ticks[i].text, color(Role::text_dim),
                {FontRole::small, AlignX::center});
  }
}

void draw_point(Canvas& canvas, const scenes::CliffChart& chart) {
  const drawing::Color ink = color(Role::warning);
  const float dash = canvas.px(3);
  const auto dashes = static_cast<int>(std::ceil((chart.plot.bottom - chart.now.y) / (2 * dash)));
  for (int i = 0; i < dashes; ++i) {
    const float y = chart.now.y + 2 * dash * static_cast<float>(i);
    canvas.line({chart.now.x, y}, {chart.now.x, std::min(y + dash, chart.plot.bottom)}, ink, canvas.px(1.5f));
  }
  if (chart.before) {
    canvas.fill_circle(*chart.before, canvas.px(4.5f), color(Role::panel));
    canvas.stroke_circle(*chart.before, canvas.px(4.5f), ink, canvas.px(1.5f));
  }
  canvas.fill_circle(chart.now, canvas.px(6.5f), color(Role::panel));
  canvas.fill_circle(chart.now, canvas.px(5), ink);
}

void draw_chart(Canvas& canvas, const scenes::CliffChart& chart) {
  if (chart.plot.empty()) return;
  canvas.fill_rects(chart.fills, with_opacity(color(Role::accent), 0.22f));
  draw_frame(canvas, chart);
  draw_steps(canvas, chart.textbook, color(Role::text), canvas.px(1.5f));
  draw_steps(canvas, chart.exact, color(Role::accent), canvas.px(2.5f));
  for (const scenes::PlateauLabel& label : chart.plateaus)
    canvas.text(label.rect, label.text, color(Role::text), {FontRole::small, AlignX::center});
  draw_point(canvas, chart);
}

void draw_legend(Canvas& canvas, Rect place, const char* word, drawing::Color ink, float thickness) {
  if (place.empty()) return;
  const float width = canvas.text_width(word, FontRole::small);
  const Rect text = place.cut_right(width + canvas.px(2));
  const float y = std::round(place.center().y);
  canvas.line({place.right - canvas.px(24), y}, {place.right - canvas.px(5), y}, ink, thickness);
  canvas.text(text, word, color(Role::text_dim), {FontRole::small, AlignX::right, AlignY::center});
}

}  // namespace

void OccupancyPanel::drag_chart(Canvas& canvas, const session::ViewState& state, session::Requests& requests,
                                const scenes::CliffChart& chart) {
  const auto index = static_cast<int>(chart.axis);
  const bool inside = canvas.hovered() && chart.plot.contains(canvas.mouse());
  const bool begins = inside && canvas.clicked();
  if (!inside && dragged_ != index) return;
  const session::OccupancyChoice now = session::occupancy_by_hand(state);
  const metrics::OccupancyPoint pointed = scenes::point_in_chart(chart, now.point, canvas.mouse().x);
  if (inside) drawing::tooltip(scenes::describe_in_chart(pointed, chart.axis));
  if (!begins && dragged_ != index) return;
  requests.occupancy = session::OccupancyChoice{true, pointed, pointed == now.point ? now.preset : ""};
  requests.occupancy_continues = !begins;
  dragged_ = index;
}

void OccupancyPanel::draw_charts(Canvas& canvas, const session::ViewState& state, session::Requests& requests,
                                 const scenes::OccupancyPanelScene& scene) {
  if (!canvas.held() && !canvas.clicked()) dragged_.reset();
  if (scene.charts.empty()) return;
  canvas.text(scene.charts_title.rect, scene.charts_title.text, color(Role::text_dim), {FontRole::small});
  draw_legend(canvas, scene.legend_exact, "exact", color(Role::accent), canvas.px(2.5f));
  draw_legend(canvas, scene.legend_textbook, "textbook rule", color(Role::text), canvas.px(1.5f));
  for (const scenes::CliffChart& chart : scene.charts) {
    draw_chart(canvas, chart);
    drag_chart(canvas, state, requests, chart);
  }
}

}  // namespace gemmscope::views
