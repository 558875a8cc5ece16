// Draws one shared-memory access, wavefront by wavefront (scenes/bank_scene.h).
#pragma once

#include "views/view_state.h"

namespace gemmscope::views {

void draw_bank_picture(ViewState& state);

}  // namespace gemmscope::views
