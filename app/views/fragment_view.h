// Draws which lane and register holds which element of a matrix instruction (scenes/fragment_scene.h).
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_fragments_picture(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
