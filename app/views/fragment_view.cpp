#include "views/fragment_view.h"

#include <fmt/format.h>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/fragment_scene.h"
#include "views/command_hint.h"
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

void draw_cell(Canvas& canvas, const scenes::FragmentScene& scene, const scenes::FragmentCell& cell,
               bool dim) {
  const drawing::Color lane = drawing::lane_color(cell.place.lane);
  const Rect rect = cell.rect.width() > canvas.px(5) ? cell.rect.inset(canvas.px(0.5f)) : cell.rect;
  canvas.fill_rect(rect, dim ? with_opacity(lane, 0.30f) : lane);
  const drawing::Color ink = dim ? color(Role::text_dim) : drawing::readable_on(lane);
  const std::string number = std::to_string(cell.place.lane);
  if (scene.register_labels) {
    Rect upper = cell.rect;
    const Rect lower = upper.cut_bottom(upper.height() / 2);
    canvas.text(upper, number, ink, {FontRole::small, AlignX::center, AlignY::bottom});
    const std::string reg = cell.reg == isa::kRegisterZero ? "RZ" : fmt::format("R{}", cell.reg);
    canvas.text(lower.inset(-canvas.px(2), 0), reg, ink, {FontRole::small, AlignX::center, AlignY::top});
  } else if (scene.lane_labels) {
    const bool both = scene.registers_beside && cell.reg != isa::kRegisterZero;
    canvas.text(cell.rect.inset(-canvas.px(3), 0),
                both ? fmt::format("{} \u00b7 R{}", number, cell.reg) : number, ink,
                {FontRole::small, AlignX::center, AlignY::center});
  }
}

void draw_panes(Canvas& canvas, const scenes::FragmentScene& scene, bool lane_chosen) {
  for (const scenes::FragmentPane& pane : scene.panes)
    canvas.text(pane.title_rect,
                canvas.text_width(pane.title, FontRole::small) <= pane.title_rect.width() ? pane.title
                                                                                          : pane.short_title,
                color(Role::text), {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::FragmentCell& cell : scene.cells)
    draw_cell(canvas, scene, cell, lane_chosen && !cell.highlighted);
  for (const scenes::FragmentCell& cell : scene.cells)
    if (cell.highlighted) canvas.stroke_rect(cell.rect, color(Role::text_strong), canvas.px(2));
}

void point_at(session::Requests& requests, Canvas& canvas, const scenes::FragmentScene& scene) {
  if (!canvas.hovered()) return;
  if (const scenes::FragmentCell* cell = scenes::fragment_cell_at(scene, canvas.mouse())) {
    requests.hover.lane = cell->place.lane;
    drawing::tooltip(scenes::describe(*cell, scene));
  } else {
    point_at_lane_chips(requests, canvas, scene.lanes);
  }
}

}  // namespace

void draw_fragments_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("fragments");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  Rect area = canvas.area();
  const Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  const scenes::FragmentScene scene =
      scenes::layout_fragments(*state.block, state.cursor, state.hover, area, scene_metrics(canvas));
  if (scene.too_small)
    return draw_empty(canvas, fmt::format("{} {} enlarges it.", scene.empty_text,
                                          command_key(state, "view.enlarge_pictures")));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  const bool earlier = !scene.heading.remark.empty();
  draw_figure_row(canvas, head, scene.heading.title, earlier ? scene.heading.remark : scene.sentence, earlier,
                  {});
  draw_lane_chips(canvas, scene.lanes_label, scene.lanes, scene.chip_labels);
  draw_panes(canvas, scene, state.hover.lane.has_value());
  point_at(requests, canvas, scene);
}

}  // namespace gemmscope::views
