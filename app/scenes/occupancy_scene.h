// The picture of an SM: its warp slots with the resident blocks, and a gauge for each resource that limits
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/results.h"
#include "metrics/occupancy.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// What the machine code and the launch of a kernel need, on an SM of the experiment's architecture.
metrics::OccupancyPoint occupancy_point_of(const experiment::CompiledKernel& compiled);

struct WarpSlot {
  drawing::Rect rect;
  int slot = 0;    // index in the SM; consecutive slots are in different sub-partitions
  int block = -1;  // the resident block; −1: empty
};
std::vector<WarpSlot> layout_slots(const metrics::OccupancyPoint& point, drawing::Rect area, float scale);
std::string slots_title(int compute_capability);  // "48 warp slots, a row for each scheduler"

// How much of a resource a block takes, and how many blocks that lets in.
struct LimitShare {
  metrics::OccupancyLimit limit = metrics::OccupancyLimit::warps;
  int of_block = 0, of_sm = 0;
  int fits = 0;
  std::optional<int> textbook_fits;  // by plain division; nothing where that knows no such limit
  bool decides = false;
  std::string name, amount;  // "registers"; "10,240 of 65,536"
};
std::vector<LimitShare> limit_shares(const metrics::OccupancyPoint& point);
// The share of `bar` that each resident block takes, side by side.
std::vector<drawing::Rect> share_bars(const LimitShare& share, int blocks, drawing::Rect bar);

struct Gauge {
  metrics::OccupancyLimit limit = metrics::OccupancyLimit::warps;
  drawing::Rect name_rect, bar, text_rect;
  std::vector<drawing::Rect> blocks;  // the share that each resident block takes
  std::string name, text;             // "registers"; "10,240 of 65,536 a block: 6 fit"
  bool decides = false;               // it limits the number of blocks
};

// How the blocks of a grid fall on the SMs of a device: which have none, or which have one more than the
// others, that wait for them at the end.
struct BlocksOnSms {
  uint64_t blocks = 0;
  int sms = 0;
  std::string device;  // may be empty

  uint64_t idle_sms() const;  // without a block
  uint64_t most() const;      // blocks of an SM that has the most
  uint64_t sms_with_most() const;
  std::string text() const;  // a sentence
};

struct OccupancyScene {
  bool empty = true;
  std::string empty_text;
  metrics::Occupancy exact, simple;
  int warp_slots = 0;   // of the SM
  std::string title;    // "6 blocks of 8 warps, sm_86"
  std::string verdict;  // "limited by registers"
  drawing::Rect slots_label;
  std::string slots_text;
  std::vector<WarpSlot> slots;
  std::vector<Gauge> gauges;
  bool low = false;        // each gauge in one line of small text
  drawing::Rect notes;     // below the gauges
  std::string next_cliff;  // what would let one more block fit, or ""
  std::string textbook;    // the result of the simpler rule, and why it differs
};

OccupancyScene layout_occupancy(const metrics::OccupancyPoint& point, drawing::Rect area,
                                const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
