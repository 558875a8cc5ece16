// The arithmetic of the small plots: pure, drawn by plots.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::drawing {

// The axis step, 1, 2 or 5 times a power of ten, that covers 0..max in at most `at_most` steps.
double nice_step(double max, int at_most);

struct BarRow {
  Rect label, track, bar, value;
};
// Lays out `values` as horizontal bars from 0 to max, one row each from the top. Labels (left) and value
// texts (right) take columns of the given widths. Bars of positive values are at least one pixel long;
// negative and non-finite values count as 0.
std::vector<BarRow> layout_bars(Rect area, std::span<const double> values, double max, float label_width,
                                float value_width, float row_height, float row_gap);

// Lays out the parts of one bar side by side. Edges are whole pixels, there are no gaps, and the last part
// ends at sum/total of the width. With total ≤ 0 the sum is the total.
std::vector<Rect> layout_stack(Rect area, std::span<const double> values, double total = 0);

// Lays out a line through values, spread evenly over the width, with min at the bottom and max at the top.
// Where there are more values than pixels, each pixel column shows its least and its greatest value, so that
// no peak is lost.
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
