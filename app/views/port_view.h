// The picture of the register ports under the map.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_ports_picture(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
