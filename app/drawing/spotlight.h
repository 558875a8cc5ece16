// Dims the screen but for a circle. (Dear ImGui)
#pragma once

#include "drawing/color.h"
#include "drawing/geometry.h"

struct ImDrawList;

namespace gemmscope::drawing {

// Draws `dim` over everything that is further than `radius` pixels from the centre and nearer than `reach`;
// the edge is soft.
void draw_spotlight(ImDrawList& list, Point center, float radius, float reach, Color dim);

// While a spotlight is on, no tooltip covers what it shows.
void hide_tooltips(bool hide);
bool tooltips_hidden();

}  // namespace gemmscope::drawing
