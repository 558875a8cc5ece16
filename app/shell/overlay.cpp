#include "shell/overlay.h"

#include <imgui.h>

#include "drawing/color.h"
#include "drawing/theme.h"

namespace gemmscope::shell {

void begin_overlay(const char* id, const drawing::Rect& place, float opacity) {
  ImGui::SetNextWindowPos({place.left, place.top});
  ImGui::SetNextWindowSize({place.width(), place.height()});
  const drawing::Color raised = drawing::color(drawing::Role::panel_raised);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, drawing::packed(drawing::with_opacity(raised, opacity)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ImGui::GetStyle().PopupBorderSize);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
}

void end_overlay() {
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace gemmscope::shell
