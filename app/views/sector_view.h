// Draws the sectors of a global access: scenes/sector_scene.h.
#pragma once

#include "views/view_state.h"

namespace gemmscope::views {

void draw_sector_picture(ViewState& state);

}  // namespace gemmscope::views
