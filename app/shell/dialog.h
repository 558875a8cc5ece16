// Dialogs over the dimmed window, centred: the command palette, the help page, the Open panel and the panel
// of the GPU runner. (Dear ImGui)
#pragma once

#include <imgui.h>

namespace gemmscope::shell {

inline bool key_pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

// Places the next window; sizes are in points.
void place_popup(float width, float height, float top);
// Begins a dialog. Returns true while it is open: then ImGui::EndPopup() must follow. `tab`: the Tab key
// moves from field to field.
bool begin_dialog(const char* id, float padding, bool scroll, bool tab = false);
bool dialog_dismissed();

// A callback of ImGui::InputText (ImGuiInputTextFlags_CallbackAlways) for text fields into which the program
// writes too; its data is a bool. Where it is true the cursor moves behind what the program wrote, and the
// bool becomes false.
inline int cursor_to_end(ImGuiInputTextCallbackData* data) {
  auto* const wanted = static_cast<bool*>(data->UserData);
  if (*wanted)
    data->CursorPos = data->BufTextLen, data->SelectionStart = data->SelectionEnd = data->CursorPos;
  *wanted = false;
  return 0;
}

}  // namespace gemmscope::shell
