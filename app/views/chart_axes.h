// The lines and labels of a chart's axes.
#pragma once

#include <span>

#include "drawing/canvas.h"
#include "scenes/chart_axis.h"

namespace gemmscope::views {

struct AxisTicks {
  std::span<const scenes::Tick> ticks;
  std::span<const drawing::Rect> labels;  // one for each tick
};
// A line over the whole plot at each tick.
void draw_chart_axes(drawing::Canvas& canvas, const drawing::Rect& plot, const AxisTicks& x,
                     const AxisTicks& y);

}  // namespace gemmscope::views
