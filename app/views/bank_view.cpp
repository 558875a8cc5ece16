#include "views/bank_view.h"

#include <fmt/format.h>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/bank_scene.h"
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

// "4 wavefronts   least 4   excess 0", the last one in the colour of its verdict.
void draw_figures(Canvas& canvas, Rect row, const scenes::BankScene& scene) {
  const bool clean = scene.count.excess() == 0;
  const auto figure = [&](int value, std::string_view label, drawing::Color value_color) {
    const std::string number = std::to_string(value);
    const float width = canvas.text_width(number, FontRole::title),
                label_width = canvas.text_width(label, FontRole::small);
    Rect place = row.cut_right(width + label_width + canvas.px(26));
    place.left += canvas.px(16);
    canvas.text(place.cut_left(width + canvas.px(2)), number, value_color,
                {FontRole::title, AlignX::left, AlignY::center});
    place.left += canvas.px(5);
    canvas.text(place, label, color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  };
  figure(scene.count.excess(), "excess", color(clean ? Role::ok : Role::conflict));
  figure(scene.count.minimum, "at least", color(Role::text));
  figure(scene.count.wavefronts, "wavefronts", color(Role::text_strong));
  const std::string place = scene.remark.empty() ? scene.place : scene.remark;
  const FontRole face =
      canvas.text_width(scene.title, FontRole::mono) <= row.width() ? FontRole::mono : FontRole::mono_small;
  const float title_width = canvas.text_width(scene.title, face);
  canvas.text(row, scene.title, color(scene.remark.empty() ? Role::text_strong : Role::text_dim),
              {face, AlignX::left, AlignY::center});
  row.left += title_width + canvas.px(12);
  if (row.width() > canvas.text_width(place, FontRole::small))
    canvas.text(row, place, color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
}

void draw_lanes(Canvas& canvas, const scenes::BankScene& scene) {
  canvas.text(scene.lanes_label, "lanes", color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::LaneChip& chip : scene.lanes) {
    const drawing::Color lane = drawing::lane_color(chip.lane);
    const drawing::Color fill = chip.served   ? lane
                                : chip.active ? with_opacity(lane, 0.35f)
                                              : with_opacity(color(Role::idle), 0.25f);
    canvas.fill_rect(chip.rect, fill);
    if (chip.highlighted)
      canvas.stroke_rect(chip.rect.inset(-canvas.px(1)), color(Role::text_strong), canvas.px(2));
    const drawing::Color ink = chip.served ? drawing::readable_on(lane) : color(Role::text_dim);
    const std::string label = std::to_string(chip.lane);
    if (scene.cell_labels || chip.lane % 4 == 0)
      canvas.text(chip.rect.inset(-canvas.px(4), 0), label, ink,
                  {FontRole::small, AlignX::center, AlignY::center});
  }
}

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
    const float margin = cell.rect.height() > 6 ? canvas.px(1) : 0;
    const Rect rect = cell.rect.inset(margin, margin);
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
    if (cell.highlighted)
      canvas.stroke_rect(rect.inset(-canvas.px(1)), color(Role::text_strong), canvas.px(2));
    if (cell.shown && scene.cell_labels &&
        rect.height() >= canvas.line_height(FontRole::small) - canvas.px(2))
      canvas.text(cell.rect.inset(-canvas.px(3), 0), cell.label, drawing::readable_on(lane),
                  {FontRole::small, AlignX::center, AlignY::center});
  }
}

void point_at(ViewState& state, Canvas& canvas, const scenes::BankScene& scene) {
  if (!canvas.hovered()) return;
  if (const scenes::BankCell* cell = scenes::bank_cell_at(scene, canvas.mouse())) {
    state.next_hover.bank = cell->bank;
    if (cell->lanes != 0) state.next_hover.lane = cell->first_lane;
    drawing::tooltip(scenes::describe(*cell));
    if (canvas.clicked()) state.requests.cursor = scenes::Cursor{scene.record, cell->wavefront};
  } else if (const scenes::LaneChip* chip = scenes::lane_chip_at(scene, canvas.mouse())) {
    state.next_hover.lane = chip->lane;
    drawing::tooltip(
        fmt::format("lane {}{}", chip->lane, chip->active ? "" : ": takes no part in this access"));
  }
}

}  // namespace

void draw_bank_view(ViewState& state) {
  if (!state.has_trace()) {
    drawing::heading("Banks", "shared memory, 32 banks of 4 bytes");
    Canvas canvas("banks");
    return draw_empty(canvas, state.failure ? "Nothing to show yet." : "Compiling and executing\u2026");
  }
  drawing::heading("Banks", "shared memory, 32 banks of 4 bytes");
  Canvas canvas("banks");
  Rect area = canvas.area();
  const Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  area.top += canvas.px(4);
  const scenes::BankScene scene =
      scenes::layout_banks(*state.block, state.cursor, state.hover, area, scene_metrics(canvas));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  draw_figures(canvas, head, scene);
  draw_wires(canvas, scene);
  draw_lanes(canvas, scene);
  draw_grid(canvas, scene);
  point_at(state, canvas, scene);
}

}  // namespace gemmscope::views
