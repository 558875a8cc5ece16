// The arithmetic of chart axes and of labels beside marks, shared by all charts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// Maps values from `low` to `high` to the pixels from `from` to `to` (`to` is smaller on an upward axis).
struct Axis {
  double low = 0, high = 1;
  float from = 0, to = 1;
  bool logarithmic = false;  // then low > 0
  // The pixel of a value, clamped to the axis. A value that is not finite or, on a logarithmic axis, not
  // positive is at `from`.
  float at(double value) const;
};

struct Tick {
  double value = 0;
  float position = 0;
  std::string text;
};
// Round values within the axis, ascending and at least `apart` pixels from each other. Steps are 1, 2 or 5
// times a power of ten; a logarithmic axis has 1, 2, 5 times powers of ten, or powers of ten alone.
std::vector<Tick> make_ticks(const Axis& axis, float apart);

// Rectangles for the labels of ticks below a horizontal axis: centred on the tick, but within `row`. Where
// two would overlap, the later one stays and the other is empty.
std::vector<drawing::Rect> labels_below(std::span<const Tick> ticks, float width, drawing::Rect row);

// The smallest round value (1, 2, 5 times a power of ten) not below `value`, and the largest not above it.
double round_up(double value);
double round_down(double value);

// A value as axes and bars print it, rounded to about three digits: "51.4", "0.334", "1,230".
std::string figure_text(double value);

// What the charts over an upward axis have in common.
struct ChartFrame {
  bool empty = true;
  std::string empty_text;  // why
  drawing::Rect title, plot;
  std::string title_text;
  std::vector<Tick> value_ticks;
  std::vector<drawing::Rect> value_labels;  // parallel to the ticks
};
// The ticks of the upward axis, with labels `width` wide at the left of the plot.
void add_value_axis(ChartFrame& frame, const Axis& axis, float width, const SceneMetrics& metrics);

struct WantedLabel {
  float center = 0;
  int priority = 0;  // where there is no room for all, the highest priorities are placed
};
struct PlacedLabel {
  size_t index = 0;  // into the wanted labels
  float top = 0;
};
// Places labels of `height` one below the other between `top` and `bottom`, in the order of their marks and
// each as near to its mark as the others allow. Labels that do not fit are left out.
std::vector<PlacedLabel> place_labels(std::span<const WantedLabel> wanted, float height, float top,
                                      float bottom);

}  // namespace gemmscope::scenes
