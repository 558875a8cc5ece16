// Draws one shared-memory access, wavefront by wavefront (scenes/bank_scene.h).
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_banks_picture(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
