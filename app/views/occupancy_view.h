// Draws an SM's warp slots and what limits them (scenes/occupancy_scene.h).
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_occupancy_picture(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
