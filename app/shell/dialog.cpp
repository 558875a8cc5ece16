#include "shell/dialog.h"

#include <algorithm>

#include "drawing/session.h"

namespace gemmscope::shell {
namespace {

constexpr ImGuiWindowFlags kPopupFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoNav;

}  // namespace

void place_popup(float width, float height, float top) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float margin = drawing::px(16);
  const float w = std::min(drawing::px(width), display.x - 2 * margin);
  const float h = std::min(height, display.y - 2 * margin);
  const float y = std::clamp(top, margin, std::max(margin, display.y - h - margin));
  ImGui::SetNextWindowPos({std::floor((display.x - w) / 2), std::floor(y)});
  ImGui::SetNextWindowSize({w, h});
}

bool begin_dialog(const char* id, float padding, bool scroll, bool tab) {
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {drawing::px(padding), drawing::px(padding)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ImGui::GetStyle().PopupBorderSize);
  const ImGuiWindowFlags flags = (tab ? kPopupFlags & ~ImGuiWindowFlags_NoNavInputs : kPopupFlags) |
                                 (scroll ? 0 : ImGuiWindowFlags_NoScrollbar);
  const bool visible = ImGui::BeginPopupModal(id, nullptr, flags);
  ImGui::PopStyleVar(2);
  return visible;
}

bool dialog_dismissed() {
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                              ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  return beside || key_pressed(ImGuiKey_Escape);
}

}  // namespace gemmscope::shell
