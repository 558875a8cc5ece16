#include "views/lane_chips.h"

#include <fmt/format.h>

#include <string>

#include "drawing/widgets.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {

using drawing::AlignX;
using drawing::AlignY;
using drawing::color;
using drawing::FontRole;
using drawing::Role;

void draw_lane_chips(drawing::Canvas& canvas, drawing::Rect label, const std::vector<scenes::LaneChip>& chips,
                     bool labels) {
  canvas.text(label, "lanes", color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  const auto fill_of = [](const scenes::LaneChip& chip) {
    const drawing::Color lane = drawing::lane_color(chip.lane);
    return chip.served   ? lane
           : chip.active ? with_opacity(lane, 0.35f)
                         : with_opacity(color(Role::idle), 0.25f);
  };
  for (const scenes::LaneChip& chip : chips) {
    canvas.fill_rect(chip.rect, fill_of(chip));
    if (chip.highlighted)
      canvas.stroke_rect(chip.rect.inset(-canvas.px(1)), color(Role::text_strong), canvas.px(2));
  }
  if (chips.size() < 2) return;
  // After all chips: where one is narrower than its number, the number lies over its neighbours, too.
  const float pitch = chips[1].rect.left - chips[0].rect.left;
  const float widest = canvas.text_width("28", FontRole::small) + canvas.px(3);
  const int every = labels ? 1 : 4 * pitch >= widest ? 4 : 8;
  for (const scenes::LaneChip& chip : chips) {
    if (chip.lane % every != 0) continue;
    const std::string number = std::to_string(chip.lane);
    const drawing::Rect place = chip.rect.inset(-canvas.px(4) - (every > 1 ? widest / 2 : 0), 0);
    if (every > 1 && chip.served) {
      const float beside = (place.width() - canvas.text_width(number, FontRole::small)) / 2 - 1;
      canvas.fill_rect(place.inset(beside, 0), fill_of(chip));
    }
    const drawing::Color ink = chip.served   ? drawing::readable_on(drawing::lane_color(chip.lane))
                               : chip.active ? color(Role::text)
                                             : color(Role::text_dim);
    canvas.text(place, number, ink, {FontRole::small, AlignX::center, AlignY::center});
  }
}

drawing::Rect inner_of_cell(const drawing::Canvas& canvas, drawing::Rect whole) {
  const float margin = whole.height() > 6 ? canvas.px(1) : 0;
  return whole.inset(margin, margin);
}

void draw_on_lane_cell(drawing::Canvas& canvas, const LaneCell& cell) {
  const drawing::Rect inner = inner_of_cell(canvas, cell.whole);
  if (cell.highlighted)
    canvas.stroke_rect(inner.inset(-canvas.px(1)), color(Role::text_strong), canvas.px(2));
  if (!cell.label.empty() && inner.height() >= canvas.line_height(FontRole::small) - canvas.px(2))
    canvas.text(cell.whole.inset(-canvas.px(3), 0), cell.label,
                drawing::readable_on(drawing::lane_color(cell.lane)),
                {FontRole::small, AlignX::center, AlignY::center});
}

void point_at_lane_chips(session::Requests& requests, drawing::Canvas& canvas,
                         const std::vector<scenes::LaneChip>& chips) {
  const scenes::LaneChip* chip = scenes::lane_chip_at(chips, canvas.mouse());
  if (chip == nullptr) return;
  requests.hover.lane = chip->lane;
  drawing::tooltip(fmt::format("lane {}{}", chip->lane, chip->active ? "" : ": inactive in this access"));
}

void draw_waiting(drawing::Canvas& canvas, bool failed) {
  draw_empty(canvas, failed ? "Nothing to show yet." : "Compiling and executing\u2026");
}

}  // namespace gemmscope::views
