// The arithmetic of the small plots: pure, drawn by plots.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::drawing {

// A line through values (spread evenly over the width, min at the bottom and max at the top). More values
// than pixels: each pixel column shows the least and the greatest of its values, so that no peak is lost.
std::vector<Point> layout_sparkline(Rect area, std::span<const float> values, float min, float max);

struct DensityColumn {
  float left = 0, right = 0;
  int category = 0;
  float top = 0, bottom = 0;
};
// `counts` is buckets × categories, row-major. Each pixel column stacks the categories of its buckets from
// the bottom; the highest column fills the height. Neighbouring columns of equal height are merged into one
// rectangle.
std::vector<DensityColumn> layout_density(Rect area, std::span<const std::uint32_t> counts, int buckets,
                                          int categories);

}  // namespace gemmscope::drawing
