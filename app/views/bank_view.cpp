#include "views/bank_view.h"

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/bank_scene.h"
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

void draw_wires(Canvas& canvas, const scenes::BankScene& scene) {
  for (const scenes::LaneWire& wire : scene.wires) {
    const float opacity = wire.highlighted ? 1.0f : 0.7f;
    const float bend = (wire.to.y - wire.from.y) * 0.5f;
    canvas.curve(wire.from, {wire.from.x, wire.from.y + bend}, {wire.to.x, wire.to.y - bend}, wire.to,
                 with_opacity(drawing::lane_color(wire.lane), opacity),
                 canvas.px(wire.highlighted ? 2.5f : 1.25f));
  }
}

void draw_grid(Canvas& canvas, const scenes::BankScene& scene) {
  canvas.text(scene.banks_label, "banks", color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::RowLabel& number : scene.bank_numbers)
    canvas.text(number.rect.inset(-canvas.px(4), 0), number.text,
                color(number.current ? Role::text_strong : Role::text_dim),
                {FontRole::small, AlignX::center, AlignY::center});
  for (const scenes::RowLabel& row : scene.rows) {
    Rect strip = row.rect;
    strip.right = scene.grid.right;
    if (row.excess) canvas.fill_rect(strip, with_opacity(color(Role::conflict), 0.13f));
    const Role role = row.excess ? Role::conflict : row.current ? Role::text_strong : Role::text_dim;
    if (row.rect.height() >= canvas.line_height(FontRole::small) - canvas.px(2))
      canvas.text(row.rect, row.text, color(role), {FontRole::small, AlignX::left, AlignY::center});
  }
  for (const scenes::BankCell& cell : scene.cells) {
    const Rect rect = inner_of_cell(canvas, cell.rect);
    if (cell.lanes == 0) {
      canvas.fill_rect(rect, with_opacity(color(Role::idle), 0.14f));
      continue;
    }
    const drawing::Color lane = drawing::lane_color(cell.first_lane);
    canvas.fill_rect(rect, cell.shown ? lane : with_opacity(lane, 0.28f));
    if (cell.broadcast && cell.shown && rect.height() > canvas.px(8)) {
      Rect bar = rect;
      canvas.fill_rect(bar.cut_bottom(canvas.px(3)), color(Role::broadcast));
    }
    const bool labelled = cell.shown && scene.cell_labels;
    draw_on_lane_cell(
        canvas, {cell.rect, cell.first_lane, cell.highlighted, labelled ? std::string_view(cell.label) : ""});
  }
}

void point_at(session::Requests& requests, Canvas& canvas, const scenes::BankScene& scene) {
  if (!canvas.hovered()) return;
  if (const scenes::BankCell* cell = scenes::bank_cell_at(scene, canvas.mouse())) {
    requests.hover.bank = cell->bank;
    if (cell->lanes != 0) requests.hover.lane = cell->first_lane;
    drawing::tooltip(scenes::describe(*cell));
    if (canvas.clicked()) requests.cursor = scenes::Cursor{scene.record, cell->wavefront};
  } else {
    point_at_lane_chips(requests, canvas, scene.lanes);
  }
}

}  // namespace

void draw_banks_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("banks");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  Rect area = canvas.area();
  const Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  area.top += canvas.px(4);
  const scenes::BankScene scene =
      scenes::layout_banks(*state.block, state.cursor, state.hover, area, scene_metrics(canvas));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  const Figure figures[] = {{std::to_string(scene.count.wavefronts), "wavefronts"},
                            {std::to_string(scene.count.minimum), "minimum", Role::text},
                            {std::to_string(scene.count.excess()), "excess",
                             scene.count.excess() == 0 ? Role::ok : Role::conflict}};
  draw_figure_row(canvas, head, scene.heading, figures);
  draw_wires(canvas, scene);
  draw_lane_chips(canvas, scene.lanes_label, scene.lanes, scene.cell_labels);
  draw_grid(canvas, scene);
  point_at(requests, canvas, scene);
}

}  // namespace gemmscope::views
