#include "views/sector_view.h"

#include <fmt/format.h>

#include <vector>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/sector_scene.h"
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

void draw_lines(Canvas& canvas, const scenes::SectorScene& scene) {
  canvas.text(scene.lines_label, "lines", color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::RowLabel& offset : scene.offsets)
    canvas.text(offset.rect, offset.text, color(Role::text_dim),
                {FontRole::small, AlignX::center, AlignY::center});
  for (const scenes::RowLabel& row : scene.rows)
    if (row.rect.height() >= canvas.line_height(FontRole::small) - canvas.px(2))
      canvas.text(row.rect, row.text, color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  for (const scenes::SectorWord& word : scene.words) {
    const Rect rect = inner_of_cell(canvas, word.rect);
    if (word.lanes == 0) {
      // A word is either fetched and thrown away, or not fetched at all. Only where sectors are in excess is
      // the former trouble.
      const bool wasted = word.fetched && scene.has_excess();
      canvas.fill_rect(rect, wasted         ? with_opacity(color(Role::conflict), 0.22f)
                             : word.fetched ? with_opacity(color(Role::idle), 0.9f)
                                            : with_opacity(color(Role::idle), 0.10f));
      if (wasted) canvas.hatch(rect, with_opacity(color(Role::conflict), 0.75f), 5);
      continue;
    }
    canvas.fill_rect(rect, drawing::lane_color(word.first_lane));
    draw_on_lane_cell(canvas, {word.rect, word.first_lane, word.highlighted,
                               scene.cell_labels ? std::string_view(word.label) : ""});
  }
  for (const scenes::SectorFrame& sector : scene.sectors)
    if (sector.rect.height() > canvas.px(8))
      canvas.stroke_rect(sector.rect, color(scene.has_excess() && sector.used_bytes < metrics::kSectorBytes
                                                ? Role::conflict
                                                : Role::grid_strong));
}

void point_at(session::Requests& requests, Canvas& canvas, const scenes::SectorScene& scene) {
  if (!canvas.hovered()) return;
  if (const scenes::SectorWord* word = scenes::sector_word_at(scene, canvas.mouse())) {
    if (word->lanes != 0) requests.hover.lane = word->first_lane;
    drawing::tooltip(scenes::describe(*word, scene));
  } else {
    point_at_lane_chips(requests, canvas, scene.lanes);
  }
}

}  // namespace

void draw_sectors_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("sectors");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  Rect area = canvas.area();
  const Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  area.top += canvas.px(4);
  const scenes::SectorScene scene =
      scenes::layout_sectors(*state.block, state.cursor, state.hover, area, scene_metrics(canvas));
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  const int excess = scene.count.excess();
  std::vector<Figure> figures = {
      {std::to_string(scene.count.sectors), scene.count.sectors == 1 ? "sector" : "sectors"},
      {std::to_string(scene.count.minimum), "minimum", Role::text},
      {fmt::format("{:.0f} %", 100.0 * scene.used_bytes / std::max(1, scene.fetched_bytes)),
       "of the bytes used", Role::text},
      {fmt::format("{}{}", excess > 0 ? "+" : "", excess), "excess", excess > 0 ? Role::conflict : Role::ok,
       true}};
  if (scene.broadcast.is_one())
    figures.insert(figures.begin() + 3,
                   {"broadcast", scenes::broadcast_text(scene.broadcast), Role::broadcast});
  draw_figure_row(canvas, head, scene.heading, figures);
  draw_lane_chips(canvas, scene.lanes_label, scene.lanes, scene.cell_labels);
  draw_lines(canvas, scene);
  point_at(requests, canvas, scene);
}

}  // namespace gemmscope::views
