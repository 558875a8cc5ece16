// The row of 32 lanes above a picture of one access.
#pragma once

#include <string_view>
#include <vector>

#include "drawing/canvas.h"
#include "scenes/lane_chip.h"
#include "session/view_state.h"

namespace gemmscope::views {

// `labels`: whether a chip has room for its number; if not, only every fourth chip is numbered.
void draw_lane_chips(drawing::Canvas& canvas, drawing::Rect label, const std::vector<scenes::LaneChip>& chips,
                     bool labels);
// A cell that belongs to `lane`, inside `whole` with a small margin where `whole` is high enough. The caller
// fills inner_of_cell first; the frame of a highlighted cell and its label (unless empty) are drawn on top.
struct LaneCell {
  drawing::Rect whole;
  int lane = 0;
  bool highlighted = false;
  std::string_view label;
};
drawing::Rect inner_of_cell(const drawing::Canvas& canvas, drawing::Rect whole);
void draw_on_lane_cell(drawing::Canvas& canvas, const LaneCell& cell);

void point_at_lane_chips(session::Requests& requests, drawing::Canvas& canvas,
                         const std::vector<scenes::LaneChip>& chips);

// Says "Compiling and executing…" while there is no trace.
void draw_waiting(drawing::Canvas& canvas, bool failed);

}  // namespace gemmscope::views
