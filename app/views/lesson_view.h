// Explains, in words, a kernel without matrices to map.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

// Whether the kernel that is shown has a picture of its own and no matrices.
bool is_lab(const session::ViewState& state);
void draw_lesson_view(const session::ViewState& state);  // into the current panel, which may scroll

}  // namespace gemmscope::views
