#include "shell/present_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "drawing/extra_glyphs.h"
#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/spotlight.h"
#include "drawing/theme.h"

namespace gemmscope::shell {
namespace {

using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Role;

// Of the key alone, with its edges.
float key_width(const session::PresentState& present) {
  return present.key.empty() ? 0 : drawing::text_width(FontRole::body_strong, present.key) + 2 * px(8);
}

// Of the key and its command.
float label_width(const session::PresentState& present) {
  return key_width(present) + drawing::text_width(FontRole::body_strong, present.title) + 2 * px(8);
}

// The key and its command, in the corner at the top right.
void draw_last_key(ImDrawList& list, const session::PresentState& present) {
  const float pad = px(8), height = drawing::line_height(FontRole::body_strong) + px(8);
  const float key = key_width(present);
  // In the language of the screen: a draw list draws what it gets.
  const std::string title(drawing::shown_text(present.title, FontRole::body_strong));
  drawing::want_glyphs(title, FontRole::body_strong);
  const float room = ImGui::GetIO().DisplaySize.x - px(24);
  const float width = std::min(label_width(present), room);
  const ImVec2 corner(std::floor(ImGui::GetIO().DisplaySize.x - px(8) - width), px(6));
  const ImVec2 end(corner.x + width, corner.y + height);
  list.AddRectFilled(corner, end, drawing::packed(color(Role::accent)), px(6));
  const ImU32 ink = drawing::packed(color(Role::text_on_accent));
  ImFont* const font = drawing::font(FontRole::body_strong);
  const float top = std::round(corner.y + (height - font->FontSize) / 2);
  list.PushClipRect(corner, end);
  if (key > 0) {
    list.AddText(font, font->FontSize, {corner.x + pad, top}, ink, present.key.c_str());
    list.AddLine({corner.x + key, corner.y + px(4)}, {corner.x + key, end.y - px(4)}, ink, px(1));
  }
  list.AddText(font, font->FontSize, {corner.x + key + pad, top}, ink, title.c_str());
  list.PopClipRect();
}

}  // namespace

float last_key_width(const session::PresentState& present) { return label_width(present) + px(8); }

void draw_over_everything(const session::PresentState& present) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImGuiIO& io = ImGui::GetIO();
  drawing::hide_tooltips(present.spotlight);
  if (present.spotlight && ImGui::IsMousePosValid(&io.MousePos)) {
    constexpr float kRadius = 0.17f, kDim = 0.68f;  // of the window's lesser side; opacity
    const float side = std::min(io.DisplaySize.x, io.DisplaySize.y);
    drawing::draw_spotlight(list, {io.MousePos.x, io.MousePos.y}, side * kRadius,
                            2 * std::hypot(io.DisplaySize.x, io.DisplaySize.y),
                            drawing::with_opacity({0, 0, 0, 255}, kDim));
  }
  if (present.on && present.key_seconds > 0) draw_last_key(list, present);
}

void draw_black_screen(session::PresentState& present) {
  ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, ImGui::GetIO().DisplaySize, IM_COL32_BLACK);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) present.black = false;
}

}  // namespace gemmscope::shell
