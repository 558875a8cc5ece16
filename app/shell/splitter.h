// The gap between two panels, which can be dragged.
#pragma once

#include "drawing/geometry.h"

namespace gemmscope::shell {

// Draws the gap and returns by how many pixels it was dragged in this frame: to the right of a `vertical`
// one, else downwards. `id` is the panels'.
float drag_gap(const char* id, drawing::Rect gap, bool vertical);

// Cuts a part of `share` off at the right or the bottom. The gap before it can be dragged, which changes the
// share.
drawing::Rect cut_share(const char* id, drawing::Rect& area, bool right, float& share);

}  // namespace gemmscope::shell
