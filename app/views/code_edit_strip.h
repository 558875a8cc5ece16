// The strip above the machine code: what was changed in it after the compiler and what that did or broke
// (scenes/changed_code_scene.h), and the buttons that change the selected instruction.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

// Draws into the current panel, as high as it needs; nothing where there is nothing to say.
void draw_code_edit_strip(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
