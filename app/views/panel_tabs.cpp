#include "views/panel_tabs.h"

#include <imgui.h>

#include <cmath>

#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "views/command_hint.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

struct Tab {
  std::string_view name, hint;
  const char* command;  // switches it on or off
};
constexpr Tab kTabs[] = {{"Code", "Source and machine code", ""},
                         {"Timings", "Times of the variants on a GPU", "timing.show"},
                         {"Lattice", "Every toggle and every pair of them, modelled", "lattice.show"}};
constexpr float kTabGapPoints = 16;

}  // namespace

float tabs_width(const Canvas& canvas) {
  float width = 0;
  for (const Tab& tab : kTabs)
    width += std::ceil(canvas.text_width(tab.name, FontRole::body_strong)) + canvas.px(kTabGapPoints);
  return width;
}

void draw_tabs(const session::ViewState& state, session::Requests& requests) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = drawing::line_height(FontRole::body_strong) + drawing::px(2);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  Canvas canvas(Rect::at({corner.x, corner.y}, {width, height}));
  const bool pointed = ImGui::IsItemHovered();
  Rect row = canvas.area();
  const size_t shown = state.lattice.visible ? 2 : state.timings.visible ? 1 : 0;
  for (size_t i = 0; i < std::size(kTabs); ++i) {
    const bool open = i == shown;
    const Rect tab = row.cut_left(std::ceil(canvas.text_width(kTabs[i].name, FontRole::body_strong)));
    row.cut_left(canvas.px(kTabGapPoints));
    const bool hovered = pointed && tab.inset(-canvas.px(4), 0).contains(canvas.mouse());
    canvas.text(tab.inset(-1, 0), kTabs[i].name,
                color(open      ? Role::text_strong
                      : hovered ? Role::text
                                : Role::text_dim),
                {FontRole::body_strong});
    if (open)
      canvas.fill_rect({tab.left, tab.bottom, tab.right, tab.bottom + canvas.px(2)}, color(Role::accent));
    if (hovered && !open) {
      // The code is shown where what is open now is switched off.
      const char* const command = kTabs[i == 0 ? shown : i].command;
      drawing::tooltip(kTabs[i].hint, command_key(state, command));
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) requests.command = command;
    }
  }
}

float word_button_width(const Canvas& canvas, std::string_view text) {
  return std::ceil(canvas.text_width(text, FontRole::small)) + canvas.px(14) + canvas.px(4);
}

bool word_button(Canvas& canvas, Rect& row, std::string_view text, drawing::Color ink, bool on,
                 std::string_view tooltip, std::string_view key) {
  const float width = std::ceil(canvas.text_width(text, FontRole::small)) + canvas.px(14);
  if (width > row.width()) return false;
  const Rect place = row.cut_right(width);
  row.cut_right(canvas.px(4));
  const bool hovered = canvas.hovered() && place.contains(canvas.mouse());
  canvas.fill_round_rect(place,
                         color(hovered ? Role::control_hover
                               : on    ? Role::accent_subtle
                                       : Role::control),
                         canvas.px(5));
  canvas.text(place, text, ink, {FontRole::small, AlignX::center, AlignY::center});
  if (hovered) drawing::tooltip(tooltip, key);
  return canvas.spot(place, text).pressed;
}

}  // namespace gemmscope::views
