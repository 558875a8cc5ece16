// The picture of loads in flight: the instructions of one warp around the cursor, side by side, and an arc
// from each global load to the instruction that waits for it, by the scoreboards in the machine code.
//
// Leaves out: DEPBAR (it waits for a number of copies), and the latency of loads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "scenes/scene_metrics.h"
#include "scenes/timeline_scene.h"

namespace gemmscope::scenes {

struct StepCell {
  drawing::Rect rect;
  size_t record = 0;
  WorkKind kind = WorkKind::other;
  bool current = false;
};
struct LoadArc {
  drawing::Point from, to;  // the tops of two cells, clamped to the area
  float height = 0;
  int distance = 0;      // instructions from the load to the one that waits
  bool current = false;  // in flight at the cursor
};

struct LoadScene {
  bool empty = true;
  std::string empty_text;
  std::vector<StepCell> cells;
  std::vector<LoadArc> arcs;
  drawing::Rect strip;
  std::optional<int> least, most;  // distances of all loads of the warp that are waited for
  double mean = 0;
  size_t loads = 0;
  int in_flight = 0;  // loads between issue and wait at the cursor
};
LoadScene layout_loads(const experiment::BlockResult& block, Cursor cursor, drawing::Rect area,
                       const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
