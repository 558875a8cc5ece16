#include "shell/frame.h"

#include <imgui.h>

#include <cmath>

#include "catalog/product.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/text.h"
#include "session/measuring.h"
#include "shell/dialog.h"
#include "shell/start_cards.h"
#include "views/launch_form_view.h"
#include "views/lesson_strip_view.h"
#include "views/number_strip_view.h"

namespace gemmscope::shell {
namespace {

using drawing::px;
using drawing::Rect;

// A panel at a place of the root window.
template <typename F>
void panel(const char* id, Rect area, bool scroll, F content) {
  if (area.width() < px(24) || area.height() < px(16)) return;
  ImGui::SetCursorScreenPos({area.left, area.top});
  if (drawing::begin_panel(id, area.size(), scroll)) content();
  drawing::end_panel();
}

// For example "compiled by NVRTC 13.0 in 41 ms · 1,234 warp instructions … executed on the CPU".
std::string status_text(const session::ViewState& state) {
  if (state.progress) {
    switch (state.progress->stage) {
      case experiment::Stage::compile:
        return "compiling\u2026";
      case experiment::Stage::block:
        return "executing the block\u2026";
      case experiment::Stage::model:
        return "modelling the cycles\u2026";
      case experiment::Stage::grid:
        return fmt::format("executing the whole grid\u2026 {:.0f} %", state.progress->fraction * 100);
    }
  }
  if (state.compiled == nullptr) return "";
  std::string text;
  switch (state.compiled->origin) {
    case compile::CubinSource::compiled:
      text = fmt::format("compiled by {} in {:.0f} ms", state.compiled->compiler, state.compiled->compile_ms);
      break;
    case compile::CubinSource::disk_cache:
      text = fmt::format("machine code of {}, cached", state.compiled->compiler);
      break;
    case compile::CubinSource::prebuilt_pack:
      text = fmt::format("prebuilt machine code of {}", state.compiled->compiler);
      break;
  }
  if (state.block != nullptr)
    text += fmt::format("  \u00b7  {} warp instructions of this block executed on the CPU, lane by lane",
                        scenes::grouped(state.block->trace.records.size()));
  return text;
}

// While the timings are open, the reason why nothing is measured replaces the line on compiling, or is beside
// it where there is room for both.
void draw_status(drawing::Canvas& canvas, const session::ViewState& state) {
  using drawing::FontRole;
  Rect row = canvas.area();
  const drawing::TextStyle style{FontRole::small, drawing::AlignX::right, drawing::AlignY::center};
  const std::string full = session::measuring_line(state.timings, state.experiment.problem);
  std::string text = status_text(state);
  constexpr std::string_view kAside = ", lane by lane";
  if (text.ends_with(kAside) && canvas.text_width(text, FontRole::small) > row.width())
    text.resize(text.size() - kAside.size());
  if (!full.empty()) {
    // Where there is no room, the advice is left out; the tooltip has the whole line.
    const bool fits = canvas.text_width(full, FontRole::small) <= row.width();
    const std::string trouble =
        fits ? full : session::measuring_line(state.timings, state.experiment.problem, false);
    const float width = std::ceil(canvas.text_width(trouble, FontRole::small));
    if (!fits) drawing::tooltip(full);
    const bool both = width + canvas.text_width(text, FontRole::small) + px(24) <= row.width();
    if (both || state.timings.visible)
      canvas.text(row.cut_right(width), trouble, drawing::color(drawing::Role::warning), style);
    if (!both && state.timings.visible) return;
    if (both) row.cut_right(px(24));
  }
  canvas.text(row, text, drawing::color(drawing::Role::text_dim), style);
}

void draw_form_dialog(const session::ViewState& state, session::Requests& requests) {
  if (!state.form) return;
  const drawing::Size size = views::launch_form_size(*state.form);
  place_popup(size.width, size.height, ImGui::GetIO().DisplaySize.y * 0.08f);
  if (!begin_dialog("##launch_form", 16, true, true)) return;
  const bool refused = dialog_dismissed();
  views::draw_launch_form(state, requests, refused, key_pressed(ImGuiKey_Enter));
  if (requests.form && requests.form->action == session::FormRequest::Action::close)
    ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace

void Frame::draw_top_bar(session::Workspace& workspace, const session::CommandTable& commands, Rect area) {
  const session::ViewState& state = workspace.state();
  ImGui::SetCursorScreenPos({area.left, area.top});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  ImGui::BeginChild("##top", {area.width(), area.height()}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleColor();
  const std::string name = "GEMMscope";
  drawing::Canvas bar(area);
  bar.text(bar.area().inset(px(8), 0), name, drawing::color(drawing::Role::text_strong),
           {drawing::FontRole::title});
  ImGui::SetCursorScreenPos(
      {area.left + px(18) + drawing::text_width(drawing::FontRole::title, name), area.top});
  bool first = true;
  for (const std::string& category : commands.categories()) {
    if (!first) drawing::same_line(2);
    first = false;
    if (drawing::quiet_button(category.c_str())) ImGui::OpenPopup(category.c_str());
    if (ImGui::BeginPopup(category.c_str())) {
      draw_menu_items(commands, category);
      ImGui::EndPopup();
    }
  }
  drawing::same_line(16);
  const float left = ImGui::GetCursorScreenPos().x;
  ImGui::SetCursorScreenPos({left, area.top});
  drawing::Canvas canvas("status", {std::max(1.0f, area.right - px(10) - left), area.height()});
  draw_status(canvas, state);
  ImGui::EndChild();
}

void Frame::draw_one(const session::ViewState& state, session::Requests& requests, FrameContent content) {
  switch (content) {
    case FrameContent::map:
      return map_.draw(state, requests);
    case FrameContent::banks:
      return pictures_.draw(state, requests);
    case FrameContent::code:
      return code_.draw(state, requests);
    case FrameContent::transport:
      return transport_.draw(state, requests);
    case FrameContent::experiment:
      return experiment_.draw(state, requests);
    case FrameContent::timings:
      return timing_.draw(state, requests);
    case FrameContent::lattice:
      return lattice_.draw(state, requests);
    case FrameContent::occupancy:
      return occupancy_.draw(state, requests);
    case FrameContent::pipeline:
      return pictures_.draw_pipeline(state, requests);
    case FrameContent::board:
      return board_.draw(state, requests);
    case FrameContent::all:
      return;
  }
}

// Where the window is too small for all panels, the least needed ones are left out first.
void Frame::draw_all(session::Workspace& workspace, const session::CommandTable& commands,
                     drawing::Size size) {
  const session::ViewState& state = workspace.state();
  session::Requests& requests = workspace.requests();
  const float gap = px(6);
  Rect area = Rect{0, 0, size.width, size.height}.inset(gap);
  if (area.height() > px(160)) {
    draw_top_bar(workspace, commands, area.cut_top(px(30)));
    area.cut_top(gap / 2);
  }
  if (area.height() > px(300)) {
    const Rect numbers = area.cut_top(views::number_strip_panel_height(area.width()));
    area.cut_top(gap);
    panel("numbers", numbers, false, [&] { views::draw_number_strip(state, requests); });
  }
  if (area.height() > px(220) && !state.occupancy.wide && !state.board.wide) {  // these have no time
    const Rect transport = area.cut_bottom(px(area.height() > px(700) ? 104 : 92));
    area.cut_bottom(gap);
    panel("transport", transport, false, [&] { transport_.draw(state, requests); });
  }
  if (area.width() > px(760)) {
    const Rect left = area.cut_left(std::clamp(area.width() * 0.185f, px(226), px(290)));
    area.cut_left(gap);
    panel("experiment", left, true, [&] { experiment_.draw(state, requests); });
  }
  if (state.occupancy.wide) return panel("occupancy", area, false, [&] { occupancy_.draw(state, requests); });
  if (state.board.wide) return panel("board", area, false, [&] { board_.draw(state, requests); });
  if (state.timings.visible && state.timings.wide)
    return panel("timings", area, false, [&] { timing_.draw(state, requests); });
  if (state.lattice.visible && state.lattice.wide)
    return panel("lattice", area, false, [&] { lattice_.draw(state, requests); });
  if (const float room = area.height(), height = views::lesson_strip_panel_height(state, area.width(), room);
      height > 0 && room - height > px(260) && !(state.pipeline.open && room < px(560))) {
    panel("lesson strip", area.cut_top(height), false,
          [&] { views::draw_lesson_strip(state, requests, room); });
    area.cut_top(gap);
  }
  // The timeline takes the whole width, since time is what it shows.
  if (state.pipeline.open) {
    const bool alone = state.pipeline.wide || area.height() < px(360);
    const Rect timeline = alone ? area : area.cut_bottom(std::round(area.height() * 0.6f));
    panel("pictures", timeline, false, [&] { pictures_.draw(state, requests); });
    if (alone) return;
    area.cut_bottom(gap);
  }
  if (area.width() > px(520)) {
    const Rect right = area.cut_right(std::round(area.width() * 0.48f));
    area.cut_right(gap);
    if (state.lattice.visible)
      panel("lattice", right, false, [&] { lattice_.draw(state, requests); });
    else if (state.timings.visible)
      panel("timings", right, false, [&] { timing_.draw(state, requests); });
    else
      panel("code", right, false, [&] { code_.draw(state, requests); });
  }
  if (state.compiled != nullptr && catalog::is_lab(state.compiled->kernel)) {  // without a map
    if (!state.pipeline.open) panel("pictures", area, false, [&] { pictures_.draw(state, requests); });
    return;
  }
  if (!state.pipeline.open && area.height() > px(300)) {
    const Rect pictures = area.cut_bottom(std::round(area.height() * 0.38f));
    area.cut_bottom(gap);
    panel("pictures", pictures, false, [&] { pictures_.draw(state, requests); });
  }
  panel("map", area, false, [&] { map_.draw(state, requests); });
}

void Frame::draw(session::Workspace& workspace, const session::CommandTable& commands,
                 session::AppFlags& flags, FrameContent content, drawing::Size size,
                 const FrameTimes& times) {
  drawing::begin_root();
  if (content == FrameContent::all) {
    draw_all(workspace, commands, size);
  } else {
    panel("one", Rect{0, 0, size.width, size.height}.inset(px(6)), content == FrameContent::experiment,
          [&] { draw_one(workspace.state(), workspace.requests(), content); });
  }
  drawing::end_root();
  if (flags.show_start && content == FrameContent::all)
    if (std::string id = draw_start_cards(commands, flags.show_start); !id.empty())
      workspace.requests().command = std::move(id);
  if (flags.show_palette) palette_.open();
  flags.show_palette = false;
  palette_.draw(commands);
  if (flags.show_open) open_.open();
  flags.show_open = false;
  if (const std::string path = open_.draw(); !path.empty()) workspace.requests().open_file = path;
  draw_form_dialog(workspace.state(), workspace.requests());
  if (flags.show_runner) runner_.open(workspace.state().timings);
  flags.show_runner = false;
  if (std::optional<std::string> command = runner_.draw(workspace.state()))
    workspace.requests().gpu_runner = std::move(command);
  if (flags.show_help) draw_help(commands, flags.show_help);
  if (flags.show_frame_time) draw_frame_time_overlay(times);
}

}  // namespace gemmscope::shell
