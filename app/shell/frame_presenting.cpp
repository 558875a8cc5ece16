// Presenter mode: how the panels lie for a class.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalog/product.h"
#include "experiment/toggle_list.h"
#include "shell/frame.h"
#include "shell/note_line.h"
#include "shell/panel.h"
#include "shell/present_view.h"
#include "shell/splitter.h"
#include "shell/status_line.h"
#include "views/failure_view.h"
#include "views/lesson_strip_view.h"
#include "views/number_strip_view.h"

namespace gemmscope::shell {
namespace {

using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

// Beside a lesson's page: with less width, the code is below the map and the picture, where the height
// allows.
constexpr float kThreeColumns = 760, kTwoRows = 300;  // points

std::string title_of(const catalog::Kernel& kernel) {
  const size_t digits = std::min(kernel.id.find_first_not_of("0123456789"), kernel.id.size());
  return digits == 0 ? kernel.title : fmt::format("{}  {}", kernel.id.substr(0, digits), kernel.title);
}

// What is not as the kernel has it by itself: the experiment's panel, which says so, is not shown.
std::string changes_of(const catalog::Kernel& kernel, const experiment::Experiment& experiment) {
  std::string text;
  for (const experiment::ToggleGroup& group : experiment::toggle_list(kernel, experiment))
    for (const experiment::ToggleRow& row : group.rows)
      if (row.changed())
        text += fmt::format("{}{}: {}", text.empty() ? "" : "  \u00b7  ", row.title, row.labels[row.chosen]);
  return text;
}

bool is_lab(const session::ViewState& state) {
  return state.compiled != nullptr && catalog::is_lab(state.compiled->kernel);
}

constexpr double kSecondsUntold = 0.5;  // what takes no longer needs no progress

// What is computed, at the right end of the title: a click ends it.
void draw_progress(drawing::Canvas& canvas, Rect& row, session::Workspace& workspace) {
  const session::ViewState& state = workspace.state();
  const std::string text = progress_text(workspace);
  const drawing::TextStyle style{FontRole::body, drawing::AlignX::right};
  const Rect place = row.cut_right(std::ceil(canvas.text_width(text, style.font)));
  row.cut_right(px(16));
  canvas.text(place, text, drawing::color(Role::text_dim), style);
  if (canvas.hovered() && place.contains(canvas.mouse()) && state.commands != nullptr &&
      cancel_by_click(canvas, workspace, *state.commands))
    workspace.requests().command = kCancelCommand;
}

// The time strip takes as little height as it can: the words beside it are not for the last row.
void draw_bare_strip(views::TransportView& transport, const session::ViewState& state,
                     session::Requests& requests, Rect area) {
  ImGui::SetCursorScreenPos({area.left, area.top});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  ImGui::BeginChild("##time", {area.width(), area.height()}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleColor();
  transport.draw_strip(state, requests, false);
  ImGui::EndChild();
}

}  // namespace

void Frame::draw_presented_title(session::Workspace& workspace, const session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  const catalog::Kernel* const kernel = workspace.catalog().find(state.experiment.kernel);
  if (kernel == nullptr) return;
  drawing::Canvas canvas(area);
  Rect row = canvas.area().inset(px(8), 0);
  if (flags.present.key_seconds > 0) row.cut_right(last_key_width(flags.present));
  const std::string title = title_of(*kernel), changes = changes_of(*kernel, state.experiment);
  canvas.text(row.cut_left(std::ceil(canvas.text_width(title, FontRole::title)) + px(16)), title,
              drawing::color(Role::text_strong), {FontRole::title});
  if (progress_text(workspace).empty()) idle_seconds_ = ImGui::GetTime();
  if (ImGui::GetTime() - idle_seconds_ > kSecondsUntold) draw_progress(canvas, row, workspace);
  if (!state.note.empty())
    draw_note_line(canvas, row, state.note, FontRole::body);
  else
    canvas.text(row, changes, drawing::color(Role::accent), {FontRole::body_strong});
}

void Frame::draw_beside_page(session::Workspace& workspace, session::AppFlags& flags, Rect area) {
  const session::ViewState& state = workspace.state();
  if (state.timings.visible || state.lattice.visible) return draw_code(workspace, flags, area);
  const bool wide = area.width() >= px(kThreeColumns);
  const bool low = area.height() <= px(kTwoRows);
  if (state.compares() || wide || low) return draw_panels(workspace, flags, area);
  const Rect below = cut_share("page code gap", area, false, flags.panels.page_code);
  const auto hides = state.lesson.hides();
  const lessons::Page* const page = state.lesson.open_page();
  const bool has_map = !state.pipeline.open && !is_lab(state);
  if (has_map && !hides.map && page != nullptr && page->hides.map) {  // the answer is in the map
    draw_pictures(workspace, flags, below);
    return draw_map(workspace, flags, area);
  }
  draw_code(workspace, flags, below);
  if (has_map && hides.pictures && !hides.map) return draw_map(workspace, flags, area);
  draw_pictures(workspace, flags, area);
}

void Frame::draw_presenting(session::Workspace& workspace, session::AppFlags& flags, drawing::Size size) {
  const session::ViewState& state = workspace.state();
  session::Requests& requests = workspace.requests();
  const float gap = px(6);
  Rect area = Rect{0, 0, size.width, size.height}.inset(gap);
  note_has_place_ = false;
  draw_presented_title(workspace, flags, area.cut_top(px(30)));
  // Covered, or not of what is calculated, they leave the room to the page; also to the list of lessons.
  const bool lists = state.lesson.visible && state.lesson.open_page() == nullptr;
  if (area.height() > px(300) && !state.lesson.hides().numbers && !state.occupancy.wide && !lists) {
    const Rect numbers = area.cut_top(views::number_strip_panel_height(area.width()));
    area.cut_top(gap);
    panel("numbers", numbers, false, [&] { views::draw_number_strip(state, requests); });
  }
  const float room = area.height();
  if (const float height = views::lesson_strip_panel_height(state, area.width(), room);
      height > 0 && !state.lesson.visible && !flags.tour.running && room - height > px(180)) {
    panel("lesson strip", area.cut_bottom(height), false,
          [&] { views::draw_lesson_strip(state, requests, room); });
    area.cut_bottom(gap);
  }
  const bool timeless = state.occupancy.wide || state.board.wide;
  if (area.height() > px(240) && !timeless) {
    draw_bare_strip(transport_, state, requests, area.cut_bottom(px(14)));
    area.cut_bottom(gap);
  }
  if (const float message = views::failure_panel_height(state, area.width(), area.height() * 0.4f);
      message > 0) {
    panel("failure", area.cut_bottom(message), true, [&] { views::draw_failure(state); });
    area.cut_bottom(gap);
  }
  if (flags.enlarged == session::Panel::map && is_lab(state))  // it has no map
    return draw_pictures(workspace, flags, area);
  if (flags.enlarged != session::Panel::none) return draw_enlarged(workspace, flags, area);
  if (state.lesson.visible && area.width() > px(600)) {  // its page is what is taught
    draw_experiment(workspace, flags, area.cut_left(std::round(area.width() * 0.4f)));
    area.cut_left(gap);
    if (!draw_wide(workspace, area)) draw_beside_page(workspace, flags, area);
    return;
  }
  if (!draw_wide(workspace, area)) draw_panels(workspace, flags, area);
}

}  // namespace gemmscope::shell
