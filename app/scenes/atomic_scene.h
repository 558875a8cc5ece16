// The picture of one atomic instruction. Lanes with the same address are in one row, in the order in which
// the memory serves them one after the other. What the L2 does to make that fast is not modelled.
#pragma once

#include <string>
#include <vector>

#include "scenes/access_heading.h"
#include "scenes/lane_chip.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct AtomicLane {
  drawing::Rect rect;
  int lane = 0, pass = 0;  // of the serialized passes over its address, the one that serves it, from 0
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
  int operations = 0;         // active lanes
  int serialized_passes = 0;  // one serves one lane of each address: the most lanes at one address
  uint64_t block_instructions = 0, block_operations = 0;  // atomics of the traced block
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
