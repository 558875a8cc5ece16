// What the execution counted: resources, instructions, memory traffic, and whether C is right.
#pragma once

#include "views/view_state.h"

namespace gemmscope::views {

void draw_report(ViewState& state);  // below the experiment, in the same panel

}  // namespace gemmscope::views
