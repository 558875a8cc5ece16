#include "views/toggles_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "drawing/canvas.h"
#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/icons.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "views/command_hint.h"
#include "views/input_fields.h"

namespace gemmscope::views {
namespace {

using drawing::FontRole;
using drawing::px;
using drawing::Role;
using experiment::ToggleGroup;
using experiment::ToggleRow;

// A line of the panel as a button; what is drawn on it is up to the caller.
struct Line {
  drawing::Rect area;
  bool pressed = false, hovered = false;
};
Line line_button(const char* id, float width, float height, bool is_stop) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  Line line;
  line.pressed = ImGui::InvisibleButton(id, {std::max(1.0f, width), height});
  line.hovered = ImGui::IsItemHovered();
  if (is_stop) drawing::tab_stop(drawing::StopKind::control);
  line.area = drawing::Rect::at({corner.x, corner.y}, {width, height});
  return line;
}

bool is_slider(const ToggleRow& row) { return row.labels.size() > kMostSegments; }

// The width that the control takes beside its name: the values' text and the least padding. A slider has a
// line of its own.
float control_width(const ToggleRow& row) {
  if (row.on_off) return px(28);
  if (is_slider(row)) return std::numeric_limits<float>::infinity();
  float width = px(4);
  for (const std::string& label : row.labels)
    width += std::round(drawing::text_width(FontRole::body, label)) + 2 * px(6);
  return width;
}

}  // namespace

void TogglesView::draw(const session::ViewState& state, session::Requests& requests) {
  const catalog::Kernel* kernel =
      state.catalog == nullptr ? nullptr : state.catalog->find(state.experiment.kernel);
  if (kernel == nullptr || kernel->toggles.empty()) return;
  if (!listed_ || !(*listed_ == state.experiment) || listed_source_ != kernel->source ||
      listed_offer_ != state.offer) {
    groups_ = experiment::toggle_list(*kernel, state.experiment, state.offer.get());
    listed_ = state.experiment;
    listed_source_ = kernel->source;
    listed_offer_ = state.offer;
  }
  for (const ToggleGroup& group : groups_) draw_group(state, requests, *kernel, group);
  if (!state.experiment.toggles.empty() && groups_.size() > 1) {
    if (drawing::quiet_button("Restore the defaults")) requests.command = "toggles.reset";
    drawing::tooltip("All toggles", command_key(state, "toggles.reset"));
  }
  shown_toggle_ = state.toggle;
}

void TogglesView::draw_group(const session::ViewState& state, session::Requests& requests,
                             const catalog::Kernel& kernel, const ToggleGroup& group) {
  ImGui::PushID(group.title.c_str());
  const bool asked_for =
      state.toggle != shown_toggle_ && experiment::find_toggle({group}, state.toggle) != nullptr;
  if (asked_for) open_[kernel.id + "/" + group.title] = true;
  if (group.title.empty() || draw_heading(group)) {
    for (const ToggleRow& row : group.rows) {
      draw_row(state, requests, kernel, row);
      if (asked_for && row.name == state.toggle) ImGui::SetScrollHereY();
    }
    if (!group.title.empty()) drawing::gap(3);
  }
  ImGui::PopID();
}

bool TogglesView::draw_heading(const ToggleGroup& group) {
  const std::string key = listed_->kernel + "/" + group.title;
  const auto [found, is_new] = open_.try_emplace(key, &group == &groups_.front());
  bool& open = found->second;
  const Line line = line_button("heading", ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight(), true);
  if (line.pressed) open = !open;
  drawing::Canvas canvas(line.area);
  drawing::Rect rest = canvas.area();
  if (line.hovered) canvas.fill_round_rect(rest, drawing::color(Role::control_hover), px(4));
  const drawing::Color ink = drawing::color(line.hovered || open ? Role::text_strong : Role::text);
  const drawing::Rect icon = rest.cut_left(px(18)).inset(px(4));
  drawing::draw_icon(canvas, open ? drawing::Icon::chevron_down : drawing::Icon::chevron_right, icon,
                     drawing::color(Role::text_dim));
  if (const int changed = group.changed_count(); changed > 0) {
    // Where the title leaves no room for words there is the number alone.
    const float room = rest.width() - px(12) - canvas.text_width(group.title, FontRole::body);
    std::string note = fmt::format("{} changed", changed);
    if (canvas.text_width(note, FontRole::small) > room) note = std::to_string(changed);
    rest.cut_right(px(4));
    canvas.text(rest.cut_right(std::ceil(canvas.text_width(note, FontRole::small))), note,
                drawing::color(Role::accent), {FontRole::small, drawing::AlignX::right});
    rest.cut_right(px(4));
    if (line.hovered)
      drawing::tooltip(fmt::format("{} of its toggles {}", changed,
                                   changed == 1 ? "differs from its default" : "differ from their defaults"));
  }
  canvas.text(rest, group.title, ink, {FontRole::body});
  return open;
}

// Draws the name, with a bar before it where keys change this toggle and a dot where it differs from the
// default. A click restores the default.
void TogglesView::draw_title(const session::ViewState& state, session::Requests& requests,
                             const catalog::Kernel& kernel, const ToggleRow& row, drawing::Size size) {
  const Line line = line_button("title", size.width, size.height, row.changed());
  std::string hint = row.help;
  if (row.changed())
    hint += fmt::format("{}Changed from the default, {}; click to restore it.", hint.empty() ? "" : "\n",
                        row.on_off ? (row.default_index != 0 ? "on" : "off") : row.labels[row.default_index]);
  drawing::tooltip(hint);
  if (line.pressed && row.changed()) {
    if (row.why_not[row.default_index].empty())
      requests.experiment = experiment::with_toggle(kernel, state.experiment, row, row.default_index);
  }
  drawing::Canvas canvas(line.area);
  drawing::Rect rest = canvas.area();
  drawing::Rect mark = rest.cut_left(px(9));
  if (row.name == state.toggle)
    canvas.fill_round_rect(mark.cut_left(px(3)).inset(0, px(3)), drawing::color(Role::selection), 1);
  else if (row.changed())
    canvas.fill_circle({mark.left + px(3), mark.center().y}, px(2.5f), drawing::color(Role::accent));
  const bool strong = row.changed() || line.hovered || row.name == state.toggle;
  const drawing::Color ink = drawing::color(strong ? Role::text_strong : Role::text_dim);
  if (rest.height() > 2 * canvas.line_height(FontRole::small))
    canvas.text_wrapped(rest, row.title, ink, FontRole::small);
  else
    canvas.text(rest, row.title, ink, {FontRole::small});
}

void TogglesView::draw_row(const session::ViewState& state, session::Requests& requests,
                           const catalog::Kernel& kernel, const ToggleRow& row) {
  ImGui::PushID(row.name.c_str());
  const float panel = ImGui::GetContentRegionAvail().x, control = control_width(row);
  const float title = px(9) + std::ceil(drawing::text_width(FontRole::small, row.title)) + px(4);
  const bool beside = title + control + px(4) <= panel;  // else the control goes below
  if (beside) {
    draw_title(state, requests, kernel, row, {panel - control - px(4), ImGui::GetFrameHeight()});
    drawing::same_line(4);
  } else {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, px(1)});
    // A long title has two lines.
    const float line = drawing::line_height(FontRole::small), lines = title - px(4) > panel ? 2.4f : 1;
    draw_title(state, requests, kernel, row, {panel, std::round(lines * line) + px(3)});
    ImGui::PopStyleVar();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + px(9));
  }
  size_t chosen = row.chosen;
  if (row.on_off) {
    bool on = row.chosen == 1;
    const bool fixed = !row.why_not[1 - row.chosen].empty();
    ImGui::BeginDisabled(fixed);
    if (drawing::toggle_switch("", on)) chosen = on ? 1 : 0;
    ImGui::EndDisabled();
    drawing::tooltip(row.why_not[1 - row.chosen]);
  } else if (is_slider(row)) {
    size_t moved = row.chosen;
    const SliderUse use = value_slider("values", row.labels, moved);
    if (use.moved && row.why_not[moved].empty()) chosen = moved;
    if (use.moved) drawing::tooltip(row.why_not[moved]);
    if (!use.held && dragged_ == row.name) dragged_.clear();
    if (use.held && chosen != row.chosen)
      requests.experiment_continues = std::exchange(dragged_, row.name) == row.name;
  } else {
    int index = static_cast<int>(row.chosen);
    if (drawing::segmented("values", row.labels, row.why_not, index)) chosen = static_cast<size_t>(index);
  }
  if (chosen != row.chosen)
    requests.experiment = experiment::with_toggle(kernel, state.experiment, row, chosen);
  ImGui::PopID();
}

}  // namespace gemmscope::views
