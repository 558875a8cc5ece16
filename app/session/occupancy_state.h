// What the occupancy is shown for: the kernel now, or needs set by hand. The view asks for another choice
// (Requests).
#pragma once

#include <optional>
#include <string>

#include "metrics/occupancy.h"

namespace gemmscope::session {

struct ViewState;

struct OccupancyChoice {
  bool by_hand = false;
  metrics::OccupancyPoint point{86, {256, 32, 0}};  // by hand
  std::string preset;                               // id of the preset that `point` is; empty: none
};

struct OccupancyState {
  bool wide = false;  // shown over everything but the experiment
  OccupancyChoice choice;
  std::optional<metrics::OccupancyPoint> shown, before;  // now, and before the last change
};

// Nothing while there is no machine code and nothing is set by hand.
std::optional<metrics::OccupancyPoint> occupancy_point(const ViewState& state);
// Notes that the choice or the kernel may have changed. With `continues` the change belongs to the one
// before, as while a point is dragged, and `before` stays.
void note_occupancy(ViewState& state, bool continues = false);
// Takes what is shown now as the start of a choice by hand.
OccupancyChoice occupancy_by_hand(const ViewState& state);

}  // namespace gemmscope::session
