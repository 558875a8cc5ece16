// Draws the picture of the instruction mix (scenes/mix_scene.h).
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_mix_picture(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
