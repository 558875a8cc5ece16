// Draws the small pictures of labs: scenes/atomic_scene.h, traffic_scene.h and load_scene.h.
#pragma once

#include "views/view_state.h"

namespace gemmscope::views {

void draw_atomic_picture(ViewState& state);
void draw_traffic_picture(ViewState& state);
void draw_load_picture(ViewState& state);

}  // namespace gemmscope::views
