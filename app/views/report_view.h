// Shows what the execution counted: resources, instructions, memory traffic, and whether C is right.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

void draw_report(const session::ViewState& state,
                 session::Requests& requests);  // below the experiment, in the same panel

}  // namespace gemmscope::views
