#include "views/occupancy_view.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "language/current_language.h"
#include "scenes/occupancy_scene.h"
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

void draw_slots(Canvas& canvas, const scenes::OccupancyScene& scene) {
  canvas.text(scene.slots_label, scene.slots_text, color(Role::text_dim),
              {FontRole::small, AlignX::left, AlignY::center});
  draw_warp_slots(canvas, scene.slots);
}

void draw_gauges(Canvas& canvas, const scenes::OccupancyScene& scene) {
  for (const scenes::Gauge& gauge : scene.gauges) {
    const drawing::Color ink = color(gauge.decides ? Role::warning : Role::text_dim);
    const FontRole name = scene.low       ? FontRole::small
                          : gauge.decides ? FontRole::body_strong
                                          : FontRole::body;
    canvas.text(gauge.name_rect, gauge.name, gauge.decides ? ink : color(Role::text),
                {name, AlignX::left, AlignY::center});
    canvas.text(gauge.text_rect, gauge.text, ink, {FontRole::small, AlignX::right, AlignY::center});
    canvas.fill_rect(gauge.bar, with_opacity(color(Role::idle), 0.16f));
    for (size_t i = 0; i < gauge.blocks.size(); ++i) {
      Rect block = gauge.blocks[i];
      if (block.width() > canvas.px(3)) block.right -= canvas.px(1);
      const drawing::Color fill = gauge.decides ? color(Role::warning) : color(Role::accent);
      canvas.fill_rect(block, with_opacity(fill, i % 2 == 0 ? 1.0f : 0.62f));
    }
  }
}

// On the device that the model takes for this machine code, whose name is left out where it has no room. ""
// without one.
std::string blocks_on_sms(const session::ViewState& state, Canvas& canvas, Rect room) {
  if (state.compiled == nullptr || state.model == nullptr || state.model->compiled != state.compiled ||
      state.occupancy.choice.by_hand)
    return "";
  uint64_t blocks = 1;
  for (const uint32_t axis : state.compiled->launch.grid) blocks *= axis;
  scenes::BlocksOnSms shared{blocks, static_cast<int>(state.model->device.sms), state.model->device.name};
  const bool one_line = room.height() < 2 * drawing::wrapped_line_height(FontRole::small);
  if (one_line && canvas.text_width(shared.text(), FontRole::small) > room.width()) shared.device.clear();
  return shared.text();
}

// Leaves out what would be cut. Each sentence is translated by itself.
std::string sentences_that_fit(std::span<const std::string> sentences, Rect room) {
  const bool chinese = language::current_language() == Language::chinese;
  std::string shown;
  for (const std::string& sentence : sentences) {
    const std::string more =
        fmt::format("{}{}{}", shown, shown.empty() || sentence.empty() || chinese ? "" : " ",
                    language::translated(sentence));
    const float height = drawing::text_wrapped_height(more, FontRole::small, room.width());
    if (height <= room.height() || shown.empty()) shown = more;
  }
  return shown;
}

}  // namespace

// Neighbouring blocks have two shades of one hue.
void draw_warp_slots(Canvas& canvas, std::span<const scenes::WarpSlot> slots) {
  for (const scenes::WarpSlot& slot : slots) {
    const Rect rect = slot.rect.inset(std::min(canvas.px(1.5f), slot.rect.width() * 0.2f));
    if (canvas.hovered() && slot.rect.contains(canvas.mouse()))
      drawing::tooltip(slot.block < 0 ? fmt::format("warp slot {}: empty", slot.slot)
                                      : fmt::format("warp slot {}: block {}", slot.slot, slot.block));
    if (slot.block < 0) {
      canvas.fill_rect(rect, color(Role::control));
      continue;
    }
    const drawing::Color fill =
        slot.block % 2 == 0 ? color(Role::accent) : mix(color(Role::panel), color(Role::accent), 0.62f);
    canvas.fill_rect(rect, fill);
    const std::string label = std::to_string(slot.block);
    if (rect.width() > canvas.text_width(label, FontRole::small) &&
        rect.height() >= canvas.line_height(FontRole::small))
      canvas.text(rect.inset(-canvas.px(3), 0), label, drawing::readable_on(fill),
                  {FontRole::small, AlignX::center, AlignY::center});
  }
}

void draw_occupancy_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("occupancy");
  const auto point = session::occupancy_point(state);
  if (!point) return draw_waiting(canvas, state.failure.has_value());
  Rect area = canvas.area();
  Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  area.top += canvas.px(4);
  scenes::OccupancyScene scene = scenes::layout_occupancy(*point, area, scene_metrics(canvas));
  if (state.occupancy.choice.by_hand) scene.title += ", by hand";
  if (word_button(canvas, head, "calculator", color(Role::text), false,
                  "Any GPU and any block, with the cliffs", command_key(state, "occupancy.calculator")))
    requests.command = "occupancy.calculator";
  if (scene.empty) return draw_empty(canvas, scene.empty_text);
  const double percent = 100.0 * scene.exact.warps / scene.warp_slots;
  const Figure figures[] = {{std::to_string(scene.exact.warps), fmt::format("of {} warps", scene.warp_slots)},
                            {fmt::format("{:.0f} %", percent), "occupancy",
                             scene.exact.blocks == 0 ? Role::error : Role::text_strong}};
  draw_worded_figure_row(canvas, head, scene.title, scene.verdict, figures);
  draw_slots(canvas, scene);
  draw_gauges(canvas, scene);
  const std::string notes[] = {blocks_on_sms(state, canvas, scene.notes), scene.next_cliff, scene.textbook};
  canvas.text_wrapped(scene.notes, sentences_that_fit(notes, scene.notes), color(Role::text_dim),
                      FontRole::small);
}

}  // namespace gemmscope::views
