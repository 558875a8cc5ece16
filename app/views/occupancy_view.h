// Draws an SM's warp slots and what limits them (scenes/occupancy_scene.h).
#pragma once

#include <span>

#include "drawing/canvas.h"
#include "scenes/occupancy_scene.h"
#include "session/view_state.h"

namespace gemmscope::views {

void draw_occupancy_picture(const session::ViewState& state, session::Requests& requests);
void draw_warp_slots(drawing::Canvas& canvas, std::span<const scenes::WarpSlot> slots);

}  // namespace gemmscope::views
