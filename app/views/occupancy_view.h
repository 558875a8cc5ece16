// Draws an SM's warp slots and what limits them: scenes/occupancy_scene.h.
#pragma once

#include "views/view_state.h"

namespace gemmscope::views {

void draw_occupancy_picture(ViewState& state);

}  // namespace gemmscope::views
