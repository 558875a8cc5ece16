// Small plots of our own: sparklines, the density strip under the time scrubber.
#pragma once

#include <cstdint>
#include <span>

#include "drawing/canvas.h"
#include "drawing/plot_layout.h"

namespace gemmscope::drawing {

// min == max: taken from the values.
void draw_sparkline(Canvas& canvas, Rect area, std::span<const float> values, Color color, float min = 0,
                    float max = 0, bool filled = true);

// `counts` is buckets × colors.size(), row-major.
void draw_density(Canvas& canvas, Rect area, std::span<const std::uint32_t> counts,
                  std::span<const Color> colors);

}  // namespace gemmscope::drawing
