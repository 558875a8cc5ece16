// For text fields into which the program writes too.
#pragma once

#include <imgui.h>

namespace gemmscope::shell {

// A callback of ImGui::InputText (ImGuiInputTextFlags_CallbackAlways) whose data is a bool: where it is true
// the cursor goes behind what the program has written, and it becomes false.
inline int cursor_to_end(ImGuiInputTextCallbackData* data) {
  auto* const wanted = static_cast<bool*>(data->UserData);
  if (*wanted)
    data->CursorPos = data->BufTextLen, data->SelectionStart = data->SelectionEnd = data->CursorPos;
  *wanted = false;
  return 0;
}

}  // namespace gemmscope::shell
