// Small plots of our own: bars, stacks, sparklines, the density strip under the time scrubber.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "drawing/canvas.h"
#include "drawing/plot_layout.h"

namespace gemmscope::drawing {

struct Bar {
  std::string label;
  double value = 0;
  std::string value_text;  // with its unit
  Color color;
  bool strong = false;       // the current one among others
  double low = 0, high = 0;  // spread, drawn as a whisker where high > low
  double reference = -1;     // a tick at this value (a model's prediction, a peak); < 0: none
};
// Rows fill `area` from the top. With max ≤ 0 the greatest value (or whisker, or reference) is the maximum.
// Returns the height used.
float draw_bars(Canvas& canvas, Rect area, std::span<const Bar> bars, double max = 0);
float bars_height(const Canvas& canvas, int count);
// The bar under a point, or -1.
int bar_at(const Canvas& canvas, Rect area, int count, Point point);

struct StackPart {
  std::string label;
  double value = 0;
  Color color;
};
// Draws labels inside the parts that have room for them. Returns the part under the mouse, or -1.
int draw_stack(Canvas& canvas, Rect area, std::span<const StackPart> parts, double total = 0);
// Draws coloured dots with names, in rows that wrap within area. Returns the height used.
float draw_legend(Canvas& canvas, Rect area, std::span<const StackPart> parts);

// With min == max the range is that of the values.
void draw_sparkline(Canvas& canvas, Rect area, std::span<const float> values, Color color, float min = 0,
                    float max = 0, bool filled = true);

// `counts` is buckets × colors.size(), row-major.
void draw_density(Canvas& canvas, Rect area, std::span<const std::uint32_t> counts,
                  std::span<const Color> colors);

// Draws heat_color as a vertical scale with its ends labelled `low` and `high`.
void draw_heat_legend(Canvas& canvas, Rect area, std::string_view low, std::string_view high);

}  // namespace gemmscope::drawing
