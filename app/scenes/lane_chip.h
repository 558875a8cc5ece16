// What the pictures of one access share: the row of lanes above it, the labels of its rows and cells.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "drawing/geometry.h"
#include "scenes/selection.h"

namespace gemmscope::scenes {

struct LaneChip {
  drawing::Rect rect;
  int lane = 0;
  bool active = false, served = false, highlighted = false;  // served: gets a word in the cursor's wavefront
};
struct RowLabel {
  drawing::Rect rect;
  std::string text;
  bool excess = false, current = false;
};

// Whether one of `lanes` is pointed at.
bool lane_highlighted(const Selection& selection, uint32_t lanes);
// `column`: the width of a lane's column before its edges were rounded to `rect`. Where it is wide enough the
// chips stand apart. `active` and `served`: masks of the access.
LaneChip lane_chip(int lane, drawing::Rect rect, float column, float scale, uint32_t active, uint32_t served,
                   const Selection& selection);
// The chip under a point, or null.
const LaneChip* lane_chip_at(std::span<const LaneChip> chips, drawing::Point point);
// The label of a cell that serves `lanes`: a single lane's number; of several how many, where there is room.
std::string lanes_label(uint32_t lanes, bool wide);

}  // namespace gemmscope::scenes
