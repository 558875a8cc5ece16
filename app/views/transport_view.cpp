#include "views/transport_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "drawing/canvas.h"
#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/plots.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "scenes/text.h"
#include "views/command_hint.h"

namespace gemmscope::views {
namespace {

using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Icon;
using drawing::Rect;
using drawing::Role;

// A button that runs a command of the table, with its title and key as the tooltip.
void command_button(const session::ViewState& state, session::Requests& requests, const char* id, Icon icon) {
  const bool enabled = command_enabled(state, id);
  const bool pressed =
      drawing::icon_button(id, icon, command_title(state, id), command_key(state, id), enabled);
  // A greyed command is asked for, too: it says what it needs.
  if (pressed || (!enabled && ImGui::IsItemClicked())) requests.command = id;
  drawing::same_line(2);
}

void draw_warp_choice(const session::ViewState& state, session::Requests& requests) {
  const int warps = state.has_trace() ? static_cast<int>(state.block->trace.warp_count) : 1;
  const std::string shown =
      state.playback.warp == scenes::kAllWarps ? "all warps" : fmt::format("warp {}", state.playback.warp);
  ImGui::SetNextItemWidth(104 * ImGui::GetFontSize() / 13);
  const bool open = drawing::begin_combo("##follow", shown);
  if (!open)
    if (const int step = drawing::tab_stop(drawing::StopKind::control).step; step != 0)
      requests.follow_warp = std::clamp(state.playback.warp + step, scenes::kAllWarps, warps - 1);
  if (open) {
    for (int warp = scenes::kAllWarps; warp < warps; ++warp) {
      const std::string label =
          warp == scenes::kAllWarps ? "all warps in turn" : fmt::format("warp {}", warp);
      if (drawing::list_item(drawing::item_label(label).c_str(), warp == state.playback.warp))
        requests.follow_warp = warp;
    }
    ImGui::EndCombo();
  }
  drawing::tooltip("Whose instructions are stepped through");
}

// What a jump or a change did not find, in the rest of the line, which nothing else uses. Returns false where
// it does not fit.
bool draw_note(const std::string& note) {
  if (note.empty()) return true;
  drawing::same_line(18);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight();
  const bool fits = drawing::text_width(FontRole::body, note) <= width;
  if (!fits) {
    ImGui::NewLine();
    return false;
  }
  ImGui::Dummy({width, height});
  Canvas canvas(Rect::at({at.x, at.y}, {width, height}));
  canvas.text(canvas.area(), note, color(Role::warning),
              {FontRole::body, drawing::AlignX::left, drawing::AlignY::center});
  return true;
}

// In place of the legend and, where that is too narrow, of the whole line.
void draw_note_below(Canvas& canvas, const std::string& note, Rect beside, Rect line) {
  const drawing::TextStyle style{FontRole::small, drawing::AlignX::right, drawing::AlignY::bottom};
  const bool fits = canvas.text_width(note, FontRole::small) <= beside.width();
  const bool whole = canvas.text(fits ? beside : line, note, color(Role::warning), style);
  if (!whole && canvas.hovered() && line.contains(canvas.mouse())) drawing::tooltip(note);
}

}  // namespace

void TransportView::draw_buttons(const session::ViewState& state, session::Requests& requests) {
  const auto button = [&](const char* id, Icon icon) { command_button(state, requests, id, icon); };
  button("time.to_start", Icon::to_start);
  button("time.step_back", Icon::step_back);
  button("time.play", state.playback.playing ? Icon::pause : Icon::play);
  button("time.step_forward", Icon::step_forward);
  button("time.to_end", Icon::to_end);
  drawing::same_line(14);
  button("time.previous_conflict", Icon::previous_conflict);
  button("time.next_conflict", Icon::next_conflict);
  button("time.next_barrier", Icon::next_wait);
  drawing::same_line(14);
  draw_warp_choice(state, requests);
  drawing::same_line(14);
  // The slider works on the exponent: from one step a second to ten thousand.
  const bool cycles = state.pipeline_is_open();
  const float speed = cycles ? state.playback.cycles_per_second : state.playback.steps_per_second;
  float exponent = std::log10(speed);
  if (drawing::slider("##speed", exponent, 0.0f, 4.0f, 110 * ImGui::GetFontSize() / 13))
    (cycles ? requests.cycles_per_second : requests.steps_per_second) = std::pow(10.0f, exponent);
  drawing::tooltip(
      cycles ? "Speed: modelled cycles per second" : "Speed: instructions per second",
      fmt::format("{} {}", command_key(state, "time.slower"), command_key(state, "time.faster")));
  drawing::same_line(8);
  drawing::dim_text(fmt::format("{:.0f}{} a second", speed, cycles ? " cycles" : ""));
  note_below_ = !draw_note(state.note);
}

// Names the step under the mouse: "step 1,234, warp 0, pass 1: LDS.128 R24, [R102]".
void TransportView::name_step_under_mouse(const session::ViewState& state, session::Requests& requests,
                                          Canvas& canvas, Rect area) {
  const size_t steps = scenes::step_count(*state.block, state.playback.warp);
  if (!canvas.hovered() || !area.contains(canvas.mouse()) || steps == 0) return;
  const float fraction =
      std::clamp((canvas.mouse().x - area.left) / std::max(1.0f, area.width()), 0.0f, 1.0f);
  const auto position =
      static_cast<size_t>(std::lround(static_cast<double>(fraction) * static_cast<double>(steps - 1)));
  const machine::TraceRecord& record =
      state.block->trace.records[scenes::record_at(*state.block, state.playback.warp, position)];
  requests.hover.instruction = record.instruction;
  drawing::tooltip(fmt::format("step {}, warp {}, pass {}: {}", scenes::grouped(position + 1), record.warp,
                               record.k_tile + 1,
                               scenes::instruction_text(*state.block->compiled, record.instruction)));
}

void TransportView::draw_strip(const session::ViewState& state, session::Requests& requests,
                               bool with_words) {
  Canvas canvas("strip");
  if (!state.has_trace()) return;
  Rect area = canvas.area();
  const Rect words = area.cut_bottom(with_words ? canvas.line_height(FontRole::small) + canvas.px(2) : 0);
  const int width = static_cast<int>(area.width());
  if (timeline_version_ != state.block_version || timeline_warp_ != state.playback.warp ||
      timeline_width_ != width) {
    timeline_ = scenes::make_timeline(*state.block, state.playback.warp, width / 2);
    timeline_version_ = state.block_version;
    timeline_warp_ = state.playback.warp;
    timeline_width_ = width;
  }
  std::array<drawing::Color, scenes::kWorkKinds> colors;
  for (int k = 0; k < scenes::kWorkKinds; ++k)
    colors[static_cast<size_t>(k)] = color(scenes::work_kind_role(static_cast<scenes::WorkKind>(k)));
  drawing::draw_density(canvas, area, timeline_.counts, colors);

  const size_t steps = scenes::step_count(*state.block, state.playback.warp);
  const size_t position = scenes::position_of(*state.block, state.playback.warp, state.cursor.record);
  const float at = steps < 2 ? 0 : static_cast<float>(position) / static_cast<float>(steps - 1);
  const float x = std::round(area.left + at * (area.width() - canvas.px(2)));
  canvas.fill_rect({area.left, area.top, x, area.bottom}, with_opacity(color(Role::background), 0.45f));
  canvas.fill_rect({x, area.top - canvas.px(2), x + canvas.px(2), area.bottom + canvas.px(2)},
                   color(Role::text_strong));
  name_step_under_mouse(state, requests, canvas, area);
  if (canvas.held() && steps > 0) {
    const float fraction =
        std::clamp((canvas.mouse().x - area.left) / std::max(1.0f, area.width()), 0.0f, 1.0f);
    const auto target =
        static_cast<size_t>(std::lround(static_cast<double>(fraction) * static_cast<double>(steps - 1)));
    requests.cursor =
        scenes::Cursor{scenes::record_at(*state.block, state.playback.warp, target), scenes::kAllWavefronts};
  }
  if (!with_words) return;
  std::string where =
      state.lesson.hides().counts
          ? fmt::format("step {}", scenes::grouped(position + 1))
          : fmt::format("step {} of {}", scenes::grouped(position + 1), scenes::grouped(steps));
  if (!state.block->trace.complete) where += ", where the trace ends (the block goes on)";
  const float named = canvas.text_width(where, FontRole::small) + canvas.px(20);
  const bool covered = note_below_ && canvas.text_width(state.note, FontRole::small) > words.width() - named;
  if (!covered)
    canvas.text(words, where, color(Role::text_dim),
                {FontRole::small, drawing::AlignX::left, drawing::AlignY::bottom});
  // The legend is drawn from the right, as far as it fits.
  Rect legend = words;
  legend.left += named;
  if (note_below_) return draw_note_below(canvas, state.note, legend, words);
  for (int k = scenes::kWorkKinds - 1; k >= 0; --k) {
    const char* name = scenes::work_kind_name(static_cast<scenes::WorkKind>(k));
    const float need = canvas.text_width(name, FontRole::small) + canvas.px(26);
    if (legend.width() < need) break;
    Rect item = legend.cut_right(need);
    const float side = canvas.px(8);
    const float top = std::round(item.center().y - side / 2 + canvas.px(1));
    canvas.fill_rect({item.left + canvas.px(8), top, item.left + canvas.px(8) + side, top + side},
                     colors[static_cast<size_t>(k)]);
    item.left += canvas.px(20);
    canvas.text(item, name, color(Role::text_dim),
                {FontRole::small, drawing::AlignX::left, drawing::AlignY::bottom});
  }
}

void TransportView::draw(const session::ViewState& state, session::Requests& requests) {
  draw_buttons(state, requests);
  drawing::gap(2);
  draw_strip(state, requests, true);
}

}  // namespace gemmscope::views
