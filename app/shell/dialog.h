// A dialog over the dimmed window, centred; the command palette, the help page and the Open panel. (Dear
// ImGui)
#pragma once

#include <imgui.h>

namespace gemmscope::shell {

inline bool key_pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

// Sizes in points; the next window is placed.
void place_popup(float width, float height, float top);
// Escape or a click beside it closes it. True while it is open: then ImGui::EndPopup() must follow.
bool begin_dialog(const char* id, float padding, bool scroll);
bool dialog_dismissed();

// For text fields into which the program writes too: a callback of ImGui::InputText
// (ImGuiInputTextFlags_CallbackAlways) whose data is a bool. Where it is true the cursor goes behind what the
// program has written, and it becomes false.
inline int cursor_to_end(ImGuiInputTextCallbackData* data) {
  auto* const wanted = static_cast<bool*>(data->UserData);
  if (*wanted)
    data->CursorPos = data->BufTextLen, data->SelectionStart = data->SelectionEnd = data->CursorPos;
  *wanted = false;
  return 0;
}

}  // namespace gemmscope::shell
