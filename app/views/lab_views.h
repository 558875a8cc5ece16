// Draws the small pictures of labs (scenes/atomic_scene.h, traffic_scene.h and load_scene.h).
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_atomics_picture(const session::ViewState& state, session::Requests& requests);
void draw_traffic_picture(const session::ViewState& state, session::Requests& requests);
void draw_loads_picture(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
