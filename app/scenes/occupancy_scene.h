// The picture of an SM: its warp slots with the resident blocks, and a gauge for each resource that limits
// them.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/results.h"
#include "metrics/occupancy.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct WarpSlot {
  drawing::Rect rect;
  int slot = 0;    // index in the SM; consecutive slots are in different sub-partitions
  int block = -1;  // the resident block; −1: empty
};
struct Gauge {
  metrics::OccupancyLimit limit = metrics::OccupancyLimit::warps;
  drawing::Rect name_rect, bar, text_rect;
  std::vector<drawing::Rect> blocks;  // the share that each resident block takes
  std::string name, text;             // "registers"; "10,240 of 65,536 a block: 6 fit"
  bool decides = false;               // it limits the number of blocks
};

struct OccupancyScene {
  bool empty = true;
  std::string empty_text;
  metrics::Occupancy exact, simple;
  int warp_slots = 0;   // of the SM
  std::string title;    // "6 blocks of 8 warps, sm_86"
  std::string verdict;  // "limited by registers"
  drawing::Rect slots_label;
  std::vector<WarpSlot> slots;
  std::vector<Gauge> gauges;
  drawing::Rect notes;     // below the gauges
  std::string next_cliff;  // what would let one more block fit, or ""
  std::string textbook;    // the result of the simpler rule, and why it differs
};

// Lays out the resources that the machine code and the launch need, on an SM of the experiment's
// architecture.
OccupancyScene layout_occupancy(const experiment::CompiledKernel& compiled, drawing::Rect area,
                                const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
