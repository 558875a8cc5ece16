// The row of 32 lanes above a picture of one access.
#pragma once

#include <vector>

#include "drawing/canvas.h"
#include "scenes/bank_scene.h"
#include "views/view_state.h"

namespace gemmscope::views {

// `labels`: whether a chip has room for its number; else every fourth one is numbered.
void draw_lane_chips(drawing::Canvas& canvas, drawing::Rect label, const std::vector<scenes::LaneChip>& chips,
                     bool labels);
void point_at_lane_chips(ViewState& state, drawing::Canvas& canvas,
                         const std::vector<scenes::LaneChip>& chips);

// "Compiling and executing…", while there is no trace.
void draw_waiting(drawing::Canvas& canvas, bool failed);

}  // namespace gemmscope::views
