// Places a panel in the root window, and the gaps between panels that can be dragged. (Dear ImGui)
#pragma once

#include <imgui.h>

#include "drawing/focus.h"
#include "drawing/geometry.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "shell/panel_places.h"

namespace gemmscope::shell {

// A panel at a place of the root window. Returns true when it is to fill the window, or no longer: after a
// double click on its head, or Enter where it has the keyboard's focus.
template <typename F>
bool panel(const char* id, drawing::Rect area, bool scroll, F content) {
  using drawing::px;
  if (area.width() < px(24) || area.height() < px(16)) return false;
  panel_places().push_back({id, area});
  ImGui::SetCursorScreenPos({area.left, area.top});
  bool enlarge = false;
  if (drawing::begin_panel(id, area.size(), scroll)) {
    enlarge = drawing::panel_stop(area).entered;
    content();
    drawing::Rect head = area;
    head = head.cut_top(px(34));
    enlarge |= ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && !ImGui::IsAnyItemActive() &&
               head.contains({ImGui::GetMousePos().x, ImGui::GetMousePos().y}) &&
               ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  }
  drawing::end_panel();
  return enlarge;
}

}  // namespace gemmscope::shell
