// The picture of one atomic instruction: the lanes that meet at an address stand in one row, one after the
// other, as the memory serves them. What the L2 does to make that fast is not modelled.
#pragma once

#include <string>
#include <vector>

#include "scenes/access_heading.h"
#include "scenes/lane_chip.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct AtomicLane {
  drawing::Rect rect;
  int lane = 0, turn = 0;  // turn: how many lanes of its address come before it
  bool highlighted = false;
};
struct AtomicAddress {
  drawing::Rect label;
  std::string text;  // "+0", bytes from the lowest address
  int lanes = 0;
};

struct AtomicScene {
  bool empty = true;
  std::string empty_text;
  AccessHeading heading;
  int operations = 0, turns = 0;                          // lanes that take part; the most at one address
  uint64_t block_instructions = 0, block_operations = 0;  // atomic ones of the traced block
  std::string totals;
  drawing::Rect lanes_label, addresses_label, totals_rect;
  std::vector<LaneChip> chips;
  bool cell_labels = true;
  std::vector<AtomicAddress> addresses;
  std::vector<AtomicLane> lanes;
};
AtomicScene layout_atomics(const experiment::BlockResult& block, Cursor cursor, const Selection& selection,
                           drawing::Rect area, const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
