#include "shell/menu_bar.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "shell/commands_view.h"
#include "shell/dialog.h"

namespace gemmscope::shell {
namespace {

constexpr double kSecondsOfPointing = 0.5;

// A menu blocks what lies beside it, its own titles too: they look at the mouse by themselves.
bool mouse_on_item() { return ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }

// Places the next menu below the title drawn last, within the window: so long that it fits below the title,
// and further left where it is `width` wide.
void place_below_title(float width) {
  const ImVec2 title = ImGui::GetItemRectMin();
  const float top = ImGui::GetItemRectMax().y + drawing::px(4);
  const float rightmost = ImGui::GetIO().DisplaySize.x - width - drawing::px(4);
  ImGui::SetNextWindowPos({std::max(0.0f, std::min(title.x, rightmost)), top});
  const float room = std::max(drawing::px(60), ImGui::GetIO().DisplaySize.y - top - drawing::px(8));
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, room});
}

constexpr float kGap = 2;  // points

// The titles stand side by side at any width: with less room around them than usual, then in smaller letters.
struct TitleStyle {
  drawing::FontRole font = drawing::FontRole::body;
  float padding = 0;  // on both sides of each
};
TitleStyle title_style(const std::vector<std::string>& titles) {
  const float usual = ImGui::GetStyle().FramePadding.x, least = drawing::px(3);
  const float count = static_cast<float>(titles.size());
  TitleStyle style;
  for (const drawing::FontRole font : {drawing::FontRole::body, drawing::FontRole::small}) {
    float words = (count - 1) * drawing::px(kGap);
    for (const std::string& title : titles) words += drawing::text_width(font, title);
    const float room = std::floor((ImGui::GetContentRegionAvail().x - words) / (2 * count));
    style = {font, std::clamp(room, 1.0f, usual)};
    if (room >= least) break;
  }
  return style;
}

}  // namespace

std::string MenuBar::draw(const session::CommandTable& commands) {
  const std::vector<std::string> categories = commands.categories();
  const auto count = static_cast<int>(categories.size());
  const bool mouse_moved = std::exchange(mouse_x_, ImGui::GetMousePos().x) != mouse_x_;
  const int wanted = std::exchange(wanted_, -1), before = std::exchange(shown_, -1);
  std::string chosen;
  const TitleStyle style = title_style(categories);
  const ImVec2 padding{style.padding, ImGui::GetStyle().FramePadding.y};
  for (int i = 0; i < count; ++i) {
    const std::string& category = categories[static_cast<size_t>(i)];
    if (i > 0) drawing::same_line(kGap);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    bool pressed = false;
    {
      const drawing::ScopedFont font(style.font);
      pressed = drawing::quiet_button(category.c_str(), true, i == before);
    }
    ImGui::PopStyleVar();
    if (pressed) wanted_ = i == before ? -1 : i;
    // A click closes the open menu; another title's own is opened in the next frame.
    const bool over = before >= 0 && mouse_on_item(), clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (over && i != before && (mouse_moved || clicked)) wanted_ = i;
    // Who points at a title and clicks means to open it, although pointing has opened it already.
    if (over && i == before && clicked && ImGui::GetTime() - shown_since_ < kSecondsOfPointing) wanted_ = i;
    if (wanted == i) ImGui::OpenPopup(category.c_str());
    place_below_title(shown_width_);
    if (!ImGui::BeginPopup(category.c_str())) continue;
    shown_width_ = ImGui::GetWindowWidth();  // right from its second frame on; Dear ImGui hides the first
    shown_ = i;
    if (std::string id = draw_menu_items(commands, category); !id.empty()) chosen = std::move(id);
    if (key_pressed(ImGuiKey_RightArrow)) wanted_ = (i + 1) % count;
    if (key_pressed(ImGuiKey_LeftArrow)) wanted_ = (i + count - 1) % count;
    if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  if (shown_ != before) shown_since_ = ImGui::GetTime();
  return chosen;
}

}  // namespace gemmscope::shell
