// The strip of the numbers to watch, under the bar of menus, which no other panel covers.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

// The height of the strip's panel in a window of this width, with its padding.
float number_strip_panel_height(float width);
void draw_number_strip(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
