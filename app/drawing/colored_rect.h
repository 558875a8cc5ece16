// A rectangle of one colour, as canvases and instanced bars draw it.
#pragma once

#include "drawing/color.h"
#include "drawing/geometry.h"

namespace gemmscope::drawing {

struct ColoredRect {
  Rect rect;
  Color color;
};

}  // namespace gemmscope::drawing
