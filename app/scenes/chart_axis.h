// Axes of charts and labels that stand beside marks: pure arithmetic for every chart.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::scenes {

// Values from `low` to `high` on the pixels from `from` to `to` (`to` may be the lesser: upwards).
struct Axis {
  double low = 0, high = 1;
  float from = 0, to = 1;
  bool logarithmic = false;  // then low > 0
  // Clamped to the axis; what is not finite or, on a logarithmic axis, not positive stands at `from`.
  float at(double value) const;
};

struct Tick {
  double value = 0;
  float position = 0;
  std::string text;
};
// Round values within the axis, ascending, at least `apart` pixels from one to the next: steps of 1, 2 or 5
// times a power of ten; on a logarithmic axis 1, 2, 5 times powers of ten, or powers of ten alone.
std::vector<Tick> make_ticks(const Axis& axis, float apart);

// Room for the texts of ticks below an upright axis's marks: centred, but within `row`; where two would
// overlap the later one stays and the other is empty.
std::vector<drawing::Rect> labels_below(std::span<const Tick> ticks, float width, drawing::Rect row);

// The least round value (1, 2, 5 times a power of ten) that is not below `value`, and the greatest not above.
double round_up(double value);
double round_down(double value);

// At most three digits after the leading one, as the axes and bars print it: "51.4", "0.334", "1,230".
std::string figure_text(double value);

struct WantedLabel {
  float center = 0;
  int priority = 0;  // the greater stay where there is no room for all
};
struct PlacedLabel {
  size_t index = 0;  // of the wanted label
  float top = 0;
};
// Labels of `height` one below the other between `top` and `bottom`, each as near to its mark as the others
// allow, in the order of their marks; those that do not fit are left out.
std::vector<PlacedLabel> place_labels(std::span<const WantedLabel> wanted, float height, float top,
                                      float bottom);

}  // namespace gemmscope::scenes
