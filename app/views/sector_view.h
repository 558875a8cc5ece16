// Draws the sectors of a global access (scenes/sector_scene.h).
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_sectors_picture(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
