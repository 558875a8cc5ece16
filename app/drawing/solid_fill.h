// Opaque fills of large areas without texturing and blending: with software OpenGL a panel's background would
// otherwise be the most expensive thing in a frame (measured: 7 ns a pixel on one core of llvmpipe against
// less than 1).
#pragma once

#include "drawing/color.h"
#include "drawing/geometry.h"

struct ImDrawList;

namespace gemmscope::drawing {

// In screen pixels, clipped to the list's clip rectangle. The colour's alpha is ignored.
void fill_solid(ImDrawList& list, Rect rect, Color color);
// The same with rounded, anti-aliased corners.
void fill_solid_rounded(ImDrawList& list, Rect rect, Color color, float radius);

}  // namespace gemmscope::drawing
