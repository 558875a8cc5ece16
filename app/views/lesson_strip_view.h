// The strip over the pictures: why the kernel should help and what to look at, with the steps beside it.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

// The height of the strip's panel at this width, with its padding; 0 where the kernel says nothing or the
// strip is hidden. `room`: the height of what it shares with the pictures.
float lesson_strip_panel_height(const session::ViewState& state, float width, float room);
void draw_lesson_strip(const session::ViewState& state, session::Requests& requests, float room);

}  // namespace gemmscope::views
