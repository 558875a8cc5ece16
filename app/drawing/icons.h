// Icons drawn from triangles, rectangles and strokes: crisp at any size, no font needed.
#pragma once

#include "drawing/canvas.h"

namespace gemmscope::drawing {

enum class Icon : unsigned char {
  play,
  pause,
  step_forward,
  step_back,
  to_start,
  to_end,
  next_conflict,
  previous_conflict,
  next_wait,
  loop,
  undo,
  redo,
  search,
  plus,
  minus,
  close,
  check,
  chevron_right,
  chevron_down,
  more,
  info,
  warning,
  compare,
  camera,
  sun,
  moon,
  pin,
  fit,
  gpu,
  code,
  help,
  count
};

// Draws the icon centred in rect, as large as its shorter side.
void draw_icon(Canvas& canvas, Icon icon, Rect rect, Color color);

}  // namespace gemmscope::drawing
