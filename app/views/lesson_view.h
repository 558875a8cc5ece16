// What a kernel of its own kind is about, in words: where there are no matrices to map.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

// Whether the kernel that is shown has a picture of its own and no matrices.
bool is_lab(const session::ViewState& state);
void draw_lesson_view(const session::ViewState& state);  // into the current panel, which may scroll

}  // namespace gemmscope::views
