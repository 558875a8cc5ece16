// The picture of one shared-memory access: the array that it touches, and 32 lanes above 32 banks with one
// row for each wavefront.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "metrics/banks.h"
#include "scenes/access_heading.h"
#include "scenes/broadcast.h"
#include "scenes/lane_chip.h"
#include "scenes/scene_metrics.h"
#include "scenes/tile_scene.h"

namespace gemmscope::scenes {

struct BankCell {
  drawing::Rect rect;
  int bank = 0;
  int wavefront = 0;
  int64_t word = -1;       // index from the start of shared memory; −1: the bank is idle
  uint32_t lanes = 0;      // served by this word; 0: the bank is idle
  int first_lane = 0;      // gives the cell its colour
  bool broadcast = false;  // several lanes share the word
  bool excess = false;     // the wavefront would not be needed without conflicts
  bool shown = true;       // false: a later wavefront than the cursor's
  bool highlighted = false;
  std::string label;
};
struct WavefrontRow {
  drawing::Rect rect;    // of its cells and its label
  drawing::Rect number;  // empty: a neighbour has the room
  std::string text;      // "wavefront 4", in a narrow column "4"
  std::string mark;      // "+3": the third that would not be needed without conflicts; else ""
  bool excess = false, current = false;
};
struct LaneWire {  // from a lane to a bank that serves it
  drawing::Point from, to;
  int lane = 0, bank = 0;
  bool current = true;  // the cursor's wavefront serves it
  bool highlighted = false;
};
struct BankScene {
  bool empty = true;
  std::string empty_text;  // why there is nothing to see
  AccessHeading heading;
  metrics::BankCount count;
  Broadcast broadcast;
  // An asynchronous copy: a GPU may count more wavefronts, as its bytes arrive in any order. Where lanes copy
  // zeros, or what another lane copies, it may count fewer as well (metrics/copied_lanes.h).
  bool is_least = false, is_by_address = false;
  int wavefront = 0;  // the cursor's, in [0, count.wavefronts)
  size_t record = 0;
  drawing::Rect lanes_label, banks_label;
  std::vector<LaneChip> lanes;
  std::vector<LaneWire> wires;          // of the cursor's wavefront last, so that they are drawn on top
  std::vector<drawing::Rect> swatches;  // by bank: they link the numbers to the colours of the tile
  int number_every = 1;                 // every how many banks a number has room
  bool cell_labels = true;              // whether lanes and cells have room for their labels
  std::vector<RowLabel> bank_numbers;
  std::vector<WavefrontRow> rows;
  std::vector<BankCell> cells;
  drawing::Rect grid;  // around all wavefront rows
  TileScene tile;      // beside or above the rest
};

BankScene layout_banks(const experiment::BlockResult& block, Cursor cursor, const Selection& selection,
                       drawing::Rect area, const SceneMetrics& metrics);

// The same of an access that no block made: without a heading. The tile's place follows from its shape alone,
// so that all parts stay where they are while padding and swizzle change.
BankScene layout_access(const metrics::SharedAccess& access, const experiment::SharedArrays& arrays,
                        int wavefront, const Selection& selection, drawing::Rect area,
                        const SceneMetrics& metrics);

// The cell or lane under a point, for hovering; null where there is none.
const BankCell* bank_cell_at(const BankScene& scene, drawing::Point point);

// "bank 5, word 0x105 of shared memory: lane 3"
std::string describe(const BankCell& cell);

}  // namespace gemmscope::scenes
