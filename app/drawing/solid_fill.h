// Fills large areas with opaque colour, without texturing and blending. With software OpenGL a panel's
// background would otherwise be the most expensive part of a frame (measured on one core of llvmpipe: 7 ns a
// pixel, against less than 1).
#pragma once

#include <optional>

#include "drawing/color.h"
#include "drawing/geometry.h"

struct ImDrawCmd;
struct ImDrawList;

namespace gemmscope::drawing {

// `rect` is in screen pixels and clipped to the list's clip rectangle. The colour's alpha is ignored.
void fill_solid(ImDrawList& list, Rect rect, Color color);
// As fill_solid, with rounded, anti-aliased corners.
void fill_solid_rounded(ImDrawList& list, Rect rect, Color color, float radius);

// The colour with which the command fills its clip rectangle; nothing where it is no command of fill_solid.
std::optional<Color> solid_color(const ImDrawCmd& command);

}  // namespace gemmscope::drawing
