// A dialog over the dimmed window, centred; the command palette, the help page and the Open panel. (Dear
// ImGui)
#pragma once

namespace gemmscope::shell {

// Sizes in points; the next window is placed.
void place_popup(float width, float height, float top);
// Escape or a click beside it closes it. True while it is open: then ImGui::EndPopup() must follow.
bool begin_dialog(const char* id, float padding, bool scroll);
bool dialog_dismissed();

}  // namespace gemmscope::shell
