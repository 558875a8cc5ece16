// The picture of a matrix instruction: which lane and register holds which element of its factors and its sum
// (HMMA), or of the matrices that it loads (LDSM).
#pragma once

#include <string>
#include <vector>

#include "metrics/mma_fragments.h"
#include "scenes/access_heading.h"
#include "scenes/lane_chip.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct FragmentCell {
  drawing::Rect rect;
  int pane = 0, row = 0, column = 0;
  metrics::FragmentPlace place;
  int reg = 0;               // the register's number
  bool two_in_word = false;  // the register holds two elements
  bool highlighted = false;  // its lane is pointed at
};
struct FragmentPane {
  std::string name;                // "A", "B", "C and D", "matrix 2"
  std::string title, short_title;  // "A  16 × 8 tf32: R8–R11", "A: R8–R11"
  int rows = 0, columns = 0, bits = 16;
  int first_register = 0;
  drawing::Rect rect, title_rect;
};
struct FragmentScene {
  bool empty = true, too_small = false;  // the area
  std::string empty_text;
  AccessHeading heading;
  size_t record = 0;
  std::string sentence;  // "m16n8k8: A is 16 × 8, …"
  drawing::Rect lanes_label;
  std::vector<LaneChip> lanes;  // to point at
  std::vector<FragmentPane> panes;
  std::vector<FragmentCell> cells;
  bool chip_labels = true;
  // Whether the cells have room for them; registers on a second line, or beside the lane.
  bool lane_labels = false, register_labels = false, registers_beside = false;
};

// Of the cursor's instruction or else the last of its warp that is an HMMA or LDSM.
FragmentScene layout_fragments(const experiment::BlockResult& block, Cursor cursor,
                               const Selection& selection, drawing::Rect area, const SceneMetrics& metrics);
// Whether any instruction of the kernel has such a picture.
bool has_fragments(const experiment::CompiledKernel& compiled);

const FragmentCell* fragment_cell_at(const FragmentScene& scene, drawing::Point point);
// "A(3, 5): lane 13, R8, upper half"
std::string describe(const FragmentCell& cell, const FragmentScene& scene);

}  // namespace gemmscope::scenes
