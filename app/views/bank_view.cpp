#include "views/bank_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/bank_scene.h"
#include "views/command_hint.h"
#include "views/figure_row.h"
#include "views/lane_chips.h"
#include "views/panel_tabs.h"
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
    const float opacity = wire.highlighted ? 1.0f : wire.current ? 0.85f : 0.22f;
    const float bend = (wire.to.y - wire.from.y) * 0.5f;
    canvas.curve(wire.from, {wire.from.x, wire.from.y + bend}, {wire.to.x, wire.to.y - bend}, wire.to,
                 with_opacity(drawing::lane_color(wire.lane), opacity),
                 canvas.px(wire.highlighted ? 2.5f
                           : wire.current   ? 1.5f
                                            : 1.0f));
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

void draw_tile(Canvas& canvas, const scenes::TileScene& tile) {
  if (tile.area.empty()) return;
  const bool whole_title = canvas.text_width(tile.title, FontRole::small) <= tile.title_rect.width();
  const std::string& title = whole_title ? tile.title : tile.short_title;
  canvas.text(tile.title_rect, title, color(Role::text), {FontRole::small, AlignX::left, AlignY::center});
  Rect note = tile.note_rect;
  const bool same_line = note.top == tile.title_rect.top;
  if (same_line) note.left += canvas.text_width(title, FontRole::small) + canvas.px(14);
  const bool whole = canvas.text_width(tile.note, FontRole::small) <= note.width();
  if (whole || canvas.text_width(tile.short_note, FontRole::small) <= note.width())
    canvas.text(note, whole ? tile.note : tile.short_note, color(Role::text_dim),
                {FontRole::small, same_line ? AlignX::right : AlignX::left, AlignY::center});
  for (const scenes::TileCell& cell : tile.cells) {
    const bool touched = cell.lanes != 0;
    const drawing::Color bank = drawing::bank_color(cell.bank);
    canvas.fill_rect(cell.rect, touched ? bank : with_opacity(bank, 0.62f));
    if (tile.labels)
      canvas.text(cell.rect.inset(-canvas.px(3), 0), std::to_string(cell.bank),
                  touched ? drawing::readable_on(bank) : color(Role::text_dim),
                  {FontRole::small, AlignX::center, AlignY::center});
  }
  const drawing::Color bright = color(Role::text_strong);
  for (const bool current : {false, true})
    for (const scenes::TileCell& cell : tile.cells) {
      if (cell.lanes == 0 || cell.current != current) continue;
      const float side = std::min(cell.rect.width(), cell.rect.height());
      if (current && side < canvas.px(6)) canvas.fill_rect(cell.rect, bright);
      const float thick = std::clamp(side / 7, canvas.px(1), canvas.px(2.5f));
      canvas.stroke_rect(cell.rect, with_opacity(bright, current ? 1.0f : 0.6f),
                         current || cell.highlighted ? thick : canvas.px(1));
    }
}

void draw_grid(Canvas& canvas, const scenes::BankScene& scene) {
  canvas.text(scene.banks_label, "banks", color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  const float beside = 0.48f * static_cast<float>(scene.number_every - 1);  // the room of numbers left out
  for (const scenes::RowLabel& number : scene.bank_numbers)
    canvas.text(number.rect.inset(-std::max(canvas.px(4), beside * number.rect.width()), 0), number.text,
                color(number.current ? Role::text_strong : Role::text_dim),
                {FontRole::small, AlignX::center, AlignY::center});
  for (size_t bank = 0; bank < scene.swatches.size(); ++bank)
    canvas.fill_rect(scene.swatches[bank], drawing::bank_color(static_cast<int>(bank)));
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

}  // namespace

void draw_bank_scene(Canvas& canvas, const scenes::BankScene& scene) {
  draw_tile(canvas, scene.tile);
  draw_wires(canvas, scene);
  draw_lane_chips(canvas, scene.lanes_label, scene.lanes, scene.cell_labels);
  draw_grid(canvas, scene);
}

std::optional<int> point_at_bank_scene(session::Requests& requests, Canvas& canvas,
                                       const scenes::BankScene& scene) {
  if (!canvas.hovered()) return std::nullopt;
  if (const scenes::BankCell* cell = scenes::bank_cell_at(scene, canvas.mouse())) {
    requests.hover.bank = cell->bank;
    if (cell->lanes != 0) requests.hover.lane = cell->first_lane;
    drawing::tooltip(scenes::describe(*cell));
    if (canvas.clicked()) return cell->wavefront;
  } else if (const scenes::TileCell* word = scenes::tile_cell_at(scene.tile, canvas.mouse())) {
    requests.hover.bank = word->bank;
    if (word->lanes != 0) requests.hover.lane = std::countr_zero(word->lanes);
    drawing::tooltip(scenes::describe(*word));
    if (canvas.clicked() && word->wavefront >= 0) return word->wavefront;
  } else if (!scene.tile.area.empty() && (scene.tile.title_rect.contains(canvas.mouse()) ||
                                          scene.tile.note_rect.contains(canvas.mouse()))) {
    drawing::tooltip(scene.tile.title + "\n" + scene.tile.note);
  } else {
    point_at_lane_chips(requests, canvas, scene.lanes);
  }
  return std::nullopt;
}

void draw_banks_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("banks");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  Rect area = canvas.area();
  Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  area.top += canvas.px(4);
  const scenes::BankScene scene =
      scenes::layout_banks(*state.block, state.cursor, state.hover, area, scene_metrics(canvas));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  const int excess = scene.count.excess();
  std::vector<Figure> figures = {{(scene.is_least ? "\u2265" : "") + std::to_string(scene.count.wavefronts),
                                  scene.is_by_address           ? "wavefronts by address"
                                  : scene.count.wavefronts == 1 ? "wavefront"
                                                                : "wavefronts"},
                                 {std::to_string(scene.count.minimum), "minimum", Role::text},
                                 {fmt::format("{}{}",
                                              scene.is_least ? "\u2265"
                                              : excess > 0   ? "+"
                                                             : "",
                                              excess),
                                  "excess", excess > 0 ? Role::conflict : Role::ok, true}};
  if (scene.broadcast.is_one())
    figures.insert(figures.begin() + 2,
                   {"broadcast", scenes::broadcast_text(scene.broadcast), Role::broadcast});
  // Beside the instruction and its figures, where there is room; Shift+E does the same.
  const float taken = canvas.text_width(scene.heading.title, FontRole::mono) + canvas.px(340);
  if (head.width() > std::max(taken, canvas.px(430)) &&
      word_button(canvas, head, "Explore", color(Role::accent), false,
                  "Opens this access in the bank explorer: padding, swizzles, fixes",
                  command_key(state, "explorer.from_access")))
    requests.command = "explorer.from_access";
  draw_figure_row(canvas, head, scene.heading, figures);
  draw_bank_scene(canvas, scene);
  if (const auto wavefront = point_at_bank_scene(requests, canvas, scene))
    requests.cursor = scenes::Cursor{scene.record, *wavefront};
}

}  // namespace gemmscope::views
