#include "shell/splitter.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/session.h"
#include "drawing/theme.h"
#include "session/panels.h"

namespace gemmscope::shell {

float drag_gap(const char* id, drawing::Rect gap, bool vertical) {
  if (gap.width() < 1 || gap.height() < 1) return 0;
  ImGui::SetCursorScreenPos({gap.left, gap.top});
  ImGui::InvisibleButton(id, {gap.width(), gap.height()});
  const bool held = ImGui::IsItemActive();
  if (!held && !ImGui::IsItemHovered()) return 0;
  ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  const drawing::Point middle = gap.center();
  const float half = drawing::px(1);
  const drawing::Rect line = vertical ? drawing::Rect{middle.x - half, gap.top, middle.x + half, gap.bottom}
                                      : drawing::Rect{gap.left, middle.y - half, gap.right, middle.y + half};
  ImGui::GetWindowDrawList()->AddRectFilled(
      {line.left, line.top}, {line.right, line.bottom},
      drawing::packed(drawing::color(held ? drawing::Role::accent : drawing::Role::grid_strong)), half);
  if (!held) return 0;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  return vertical ? moved.x : moved.y;
}

drawing::Rect cut_share(const char* id, drawing::Rect& area, bool right, float& share) {
  const float gap = drawing::px(6), room = right ? area.width() : area.height();
  const float size = std::round(room * share);
  const drawing::Rect part = right ? area.cut_right(size) : area.cut_bottom(size);
  const drawing::Rect between = right ? area.cut_right(gap) : area.cut_bottom(gap);
  const float moved = drag_gap(id, between, right);
  if (room > 0) share = std::clamp(share - moved / room, session::kLeastShare, session::kMostShare);
  return part;
}

}  // namespace gemmscope::shell
