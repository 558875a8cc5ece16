// Presenter mode: how the panels lie for a class.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalog/product.h"
#include "experiment/toggle_list.h"
#include "shell/frame.h"
#include "shell/panel.h"
#include "views/failure_view.h"
#include "views/lesson_cover.h"
#include "views/lesson_strip_view.h"
#include "views/number_strip_view.h"

namespace gemmscope::shell {
namespace {

using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

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

void Frame::draw_presented_title(session::Workspace& workspace, Rect area) {
  const session::ViewState& state = workspace.state();
  const catalog::Kernel* const kernel = workspace.catalog().find(state.experiment.kernel);
  if (kernel == nullptr) return;
  drawing::Canvas canvas(area);
  Rect row = canvas.area().inset(px(8), 0);
  const std::string title = title_of(*kernel), changes = changes_of(*kernel, state.experiment);
  canvas.text(row.cut_left(std::ceil(canvas.text_width(title, FontRole::title)) + px(16)), title,
              drawing::color(Role::text_strong), {FontRole::title});
  if (!state.note.empty())
    canvas.text(row, state.note, drawing::color(Role::warning), {FontRole::body, drawing::AlignX::right});
  else
    canvas.text(row, changes, drawing::color(Role::accent), {FontRole::body_strong});
}

void Frame::draw_presenting(session::Workspace& workspace, session::AppFlags& flags, drawing::Size size) {
  const session::ViewState& state = workspace.state();
  session::Requests& requests = workspace.requests();
  const float gap = px(6);
  Rect area = Rect{0, 0, size.width, size.height}.inset(gap);
  note_has_place_ = false;
  draw_presented_title(workspace, area.cut_top(px(30)));
  if (area.height() > px(300)) {
    const Rect numbers = area.cut_top(views::number_strip_panel_height(area.width()));
    area.cut_top(gap);
    panel("numbers", numbers, false, [&] {
      if (state.lesson.hides().numbers)
        views::draw_lesson_cover();
      else
        views::draw_number_strip(state, requests);
    });
  }
  const float room = area.height();
  if (const float height = views::lesson_strip_panel_height(state, area.width(), room);
      height > 0 && !state.lesson.visible && room - height > px(180)) {
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
  }
  if (!draw_wide(workspace, area)) draw_panels(workspace, flags, area);
}

}  // namespace gemmscope::shell
