// What went wrong, in a place of its own below the experiment, so that no control moves when it appears.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

// Height of the panel in pixels, at most `most`; 0: nothing went wrong. `width` is the panel's.
float failure_panel_height(const session::ViewState& state, float width, float most);
void draw_failure(const session::ViewState& state);  // into the current panel

}  // namespace gemmscope::views
