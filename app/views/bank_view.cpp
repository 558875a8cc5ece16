#include "views/bank_view.h"

#include <fmt/format.h>

#include <vector>

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

// Excess is told in three ways: by its colour, by a hatch with a bar, and by its number.
void draw_row(Canvas& canvas, const scenes::BankScene& scene, const scenes::WavefrontRow& row) {
  if (row.excess) {
    Rect strip = row.rect;
    strip.left = scene.grid.left;
    canvas.fill_rect(strip, with_opacity(color(Role::conflict), 0.13f));
    canvas.hatch(strip, with_opacity(color(Role::conflict), 0.55f), 7);
    canvas.fill_rect({strip.left - canvas.px(4), strip.top, strip.left - canvas.px(1), strip.bottom},
                     color(Role::conflict));
  }
  if (row.number.empty()) return;
  Rect number = row.number;
  number.right -= canvas.px(7);
  canvas.text(number, row.mark, color(Role::conflict), {FontRole::small, AlignX::right, AlignY::center});
  if (!row.mark.empty()) number.right -= canvas.text_width(row.mark, FontRole::small) + canvas.px(3);
  canvas.text(number, row.text, color(row.current ? Role::text_strong : Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
}

void draw_grid(Canvas& canvas, const scenes::BankScene& scene) {
  canvas.text(scene.banks_label, "banks", color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::RowLabel& number : scene.bank_numbers)
    canvas.text(number.rect.inset(-canvas.px(4), 0), number.text,
                color(number.current ? Role::text_strong : Role::text_dim),
                {FontRole::small, AlignX::center, AlignY::center});
  for (const scenes::WavefrontRow& row : scene.rows) draw_row(canvas, scene, row);
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
  const int excess = scene.count.excess();
  std::vector<Figure> figures = {
      {std::to_string(scene.count.wavefronts), scene.count.wavefronts == 1 ? "wavefront" : "wavefronts"},
      {std::to_string(scene.count.minimum), "minimum", Role::text},
      {fmt::format("{}{}", excess > 0 ? "+" : "", excess), "excess", excess > 0 ? Role::conflict : Role::ok}};
  if (scene.broadcast.is_one())
    figures.insert(figures.begin() + 1,
                   {"broadcast", scenes::broadcast_text(scene.broadcast), Role::broadcast});
  draw_figure_row(canvas, head, scene.heading, figures);
  draw_wires(canvas, scene);
  draw_lane_chips(canvas, scene.lanes_label, scene.lanes, scene.cell_labels);
  draw_grid(canvas, scene);
  point_at(requests, canvas, scene);
}

}  // namespace gemmscope::views
