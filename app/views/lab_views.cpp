#include "views/lab_views.h"

#include <fmt/format.h>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/atomic_scene.h"
#include "scenes/load_scene.h"
#include "scenes/text.h"
#include "scenes/traffic_scene.h"
#include "views/figure_row.h"
#include "views/lane_chips.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

Rect cut_head(Canvas& canvas, Rect& area) {
  const Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  area.top += canvas.px(4);
  return head;
}

void draw_addresses(Canvas& canvas, const scenes::AtomicScene& scene) {
  canvas.text(scene.addresses_label, "addresses", color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  const float line = canvas.line_height(FontRole::small) - canvas.px(2);
  for (const scenes::AtomicAddress& address : scene.addresses)
    if (address.label.height() >= line)
      canvas.text(address.label, address.text, color(Role::text_dim),
                  {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::AtomicLane& cell : scene.lanes) {
    const Rect rect = cell.rect.inset(std::min(canvas.px(1), cell.rect.width() * 0.1f),
                                      cell.rect.height() > 6 ? canvas.px(1) : 0);
    const drawing::Color lane = drawing::lane_color(cell.lane);
    canvas.fill_rect(rect, lane);
    if (cell.highlighted)
      canvas.stroke_rect(rect.inset(-canvas.px(1)), color(Role::text_strong), canvas.px(2));
    if (scene.cell_labels && rect.height() >= line)
      canvas.text(cell.rect.inset(-canvas.px(3), 0), std::to_string(cell.lane), drawing::readable_on(lane),
                  {FontRole::small, AlignX::center, AlignY::center});
  }
}

void draw_bars(Canvas& canvas, const scenes::TrafficScene& scene) {
  for (const scenes::TrafficTick& tick : scene.ticks) {
    canvas.line({tick.x, scene.plot.top}, {tick.x, scene.plot.bottom}, color(Role::grid), canvas.px(1));
    const float half = canvas.px(20);
    canvas.text({tick.x - half, scene.axis.top, tick.x + half, scene.axis.bottom}, tick.text,
                color(Role::text_dim), {FontRole::small, AlignX::center, AlignY::center});
  }
  for (const scenes::TrafficBar& bar : scene.bars) {
    const FontRole face = bar.total ? FontRole::body_strong : FontRole::body;
    canvas.text(bar.name_rect, bar.name, color(bar.total ? Role::text_strong : Role::text),
                {face, AlignX::left, AlignY::center});
    canvas.text(bar.text_rect, bar.text, color(bar.total ? Role::text_strong : Role::text_dim),
                {FontRole::small, AlignX::left, AlignY::center});
    const float opacity = bar.total ? 1.0f : 0.7f;
    canvas.fill_rect(bar.read, with_opacity(color(Role::read), opacity));
    canvas.fill_rect(bar.written, with_opacity(color(Role::write), opacity));
    const auto label = [&](Rect rect, const char* text, Role role) {
      if (rect.width() > canvas.text_width(text, FontRole::small) + canvas.px(8) &&
          rect.height() >= canvas.line_height(FontRole::small))
        canvas.text(rect, text, drawing::readable_on(color(role)),
                    {FontRole::small, AlignX::center, AlignY::center});
    };
    label(bar.read, "read", Role::read);
    label(bar.written, "written", Role::write);
  }
}

void draw_arcs(Canvas& canvas, const scenes::LoadScene& scene) {
  for (const bool current : {false, true})
    for (const scenes::LoadArc& arc : scene.arcs) {
      if (arc.current != current) continue;
      const drawing::Color ink = current ? color(Role::accent) : with_opacity(color(Role::text_dim), 0.55f);
      // A cubic rises to three quarters of the height of its control points.
      const float up = arc.height * 4 / 3;
      canvas.curve(arc.from, {arc.from.x, arc.from.y - up}, {arc.to.x, arc.to.y - up}, arc.to, ink,
                   canvas.px(current ? 2.5f : 1.25f));
    }
}

void draw_steps(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
                const scenes::LoadScene& scene) {
  for (const scenes::StepCell& cell : scene.cells) {
    const Rect rect = cell.rect.inset(cell.rect.width() > 4 ? canvas.px(0.5f) : 0, 0);
    canvas.fill_rect(rect, color(scenes::work_kind_role(cell.kind)));
    if (cell.current)
      canvas.stroke_rect(cell.rect.inset(-canvas.px(1.5f)), color(Role::text_strong), canvas.px(2));
    if (!canvas.hovered() || !cell.rect.contains(canvas.mouse())) continue;
    drawing::tooltip(scenes::instruction_text(*state.block->compiled,
                                              state.block->trace.records[cell.record].instruction));
    if (canvas.clicked()) requests.cursor = scenes::Cursor{cell.record, scenes::kAllWavefronts};
  }
}

}  // namespace

void draw_atomics_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("atomics");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  Rect area = canvas.area();
  const Rect head = cut_head(canvas, area);
  const scenes::AtomicScene scene =
      scenes::layout_atomics(*state.block, state.cursor, state.hover, area, scene_metrics(canvas));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  const Figure figures[] = {
      {std::to_string(scene.operations), scene.operations == 1 ? "operation" : "operations"},
      {std::to_string(scene.serialized_passes), "at one address",
       scene.serialized_passes > 1 ? Role::conflict : Role::ok}};
  draw_figure_row(canvas, head, scene.heading, figures);
  draw_lane_chips(canvas, scene.lanes_label, scene.chips, scene.cell_labels);
  draw_addresses(canvas, scene);
  canvas.text(scene.totals_rect, scene.totals, color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  if (canvas.hovered()) point_at_lane_chips(requests, canvas, scene.chips);
}

void draw_traffic_picture(const session::ViewState& state, session::Requests&) {
  Canvas canvas("traffic");
  Rect area = canvas.area();
  const Rect head = cut_head(canvas, area);
  const bool current = state.grid != nullptr && state.grid->compiled == state.compiled;
  const scenes::TrafficScene scene = scenes::layout_traffic(
      current ? state.grid.get() : nullptr, state.experiment.problem, area, scene_metrics(canvas));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  canvas.text(head, "bytes of global memory that each launch moves, per element and in total",
              color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  draw_bars(canvas, scene);
}

void draw_loads_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("loads");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  Rect area = canvas.area();
  const Rect head = cut_head(canvas, area);
  const scenes::LoadScene scene =
      scenes::layout_loads(*state.block, state.cursor, area, scene_metrics(canvas));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  const Figure figures[] = {
      {std::to_string(scene.in_flight), "in flight"},
      {fmt::format("{:.1f}", scene.mean), "instructions to the wait", Role::text_strong},
      {std::to_string(*scene.least), "minimum", Role::text}};
  draw_worded_figure_row(canvas, head, fmt::format("warp {}", state.record().warp),
                         "each arc: from a load to the instruction that waits for it", figures);
  draw_arcs(canvas, scene);
  draw_steps(state, requests, canvas, scene);
}

}  // namespace gemmscope::views
