// The picture of an SM: its warp slots with the blocks that are resident, and a gauge for each resource, of
// which one decides.
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
  int slot = 0;    // of the SM, spread over its sub-partitions in turn
  int block = -1;  // resident one; −1: empty
};
struct Gauge {
  metrics::OccupancyLimit limit = metrics::OccupancyLimit::warps;
  drawing::Rect name_rect, bar, text_rect;
  std::vector<drawing::Rect> blocks;  // what each resident block takes of it
  std::string name, text;             // "registers"; "6 blocks of 10,240, of 65,536"
  bool decides = false;
};

struct OccupancyScene {
  bool empty = true;
  std::string empty_text;
  metrics::Occupancy exact, simple;
  int warp_slots = 0;   // of the SM
  std::string title;    // "6 blocks of 8 warps, sm_86"
  std::string verdict;  // "registers decide"
  drawing::Rect slots_label;
  std::vector<WarpSlot> slots;
  std::vector<Gauge> gauges;
  drawing::Rect notes;     // below the gauges
  std::string next_cliff;  // what would let one block more in, or ""
  std::string textbook;    // what the simpler rule says, and why it differs
};

// Resources as the machine code and the launch ask for them, on an SM of the experiment's architecture.
OccupancyScene layout_occupancy(const experiment::CompiledKernel& compiled, drawing::Rect area,
                                const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
