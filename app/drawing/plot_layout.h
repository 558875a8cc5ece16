// The arithmetic of the small plots: pure, drawn by plots.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::drawing {

// A round number of axis steps that covers 0..max with at most `at_most` steps: 1, 2 or 5 times a power of
// ten.
double nice_step(double max, int at_most);

struct BarRow {
  Rect label, track, bar, value;
};
// `values` as horizontal bars from 0 to max, one row each from the top, with columns of the given widths for
// labels (left) and value texts (right). Bars of positive values are at least one pixel long; negative and
// non-finite values count as 0.
std::vector<BarRow> layout_bars(Rect area, std::span<const double> values, double max, float label_width,
                                float value_width, float row_height, float row_gap);

// Parts of one bar, side by side: edges are whole pixels, nothing is left between them, and the last ends
// where sum/total of the width ends. total ≤ 0 takes the sum.
std::vector<Rect> layout_stack(Rect area, std::span<const double> values, double total = 0);

// A line through values (spread evenly over the width, min at the bottom and max at the top). More values
// than pixels: each pixel column shows the least and the greatest of its values, so that no peak is lost.
std::vector<Point> layout_sparkline(Rect area, std::span<const float> values, float min, float max);

struct DensityColumn {
  float left = 0, right = 0;
  int category = 0;
  float top = 0, bottom = 0;
};
// counts: buckets × categories, row-major. Each column of pixels stacks its buckets' categories from the
// bottom; the highest column fills the height. Neighbouring columns of equal height are merged into one
// rectangle.
std::vector<DensityColumn> layout_density(Rect area, std::span<const std::uint32_t> counts, int buckets,
                                          int categories);

}  // namespace gemmscope::drawing
