// The picture of one shared-memory access: 32 lanes above, 32 banks below, one row for each wavefront.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "drawing/palette.h"
#include "metrics/banks.h"
#include "scenes/cursor.h"
#include "scenes/selection.h"

namespace gemmscope::scenes {

// Lengths that the scene needs from the screen, in pixels.
struct SceneMetrics {
  float scale = 1;         // UI scale
  float line_height = 18;  // of body text
  float small_height = 15;
  float digit_width = 8;  // of small text
  float code_width = 7;   // of a character of code
  float code_height = 15;
};

struct BankCell {
  drawing::Rect rect;
  int bank = 0;
  int wavefront = 0;
  int64_t word = -1;       // in the shared window, from its start
  uint32_t lanes = 0;      // served by this word; 0: the bank is idle
  int first_lane = 0;      // its colour
  bool broadcast = false;  // several lanes share the word
  bool excess = false;     // the pass would not be needed without conflicts
  bool shown = true;       // false: a later pass than the cursor's
  bool highlighted = false;
  std::string label;
};
struct LaneChip {
  drawing::Rect rect;
  int lane = 0;
  bool active = false, served = false, highlighted = false;  // served: gets a word in the cursor's wavefront
};
struct LaneWire {  // from a lane to a bank of the cursor's wavefront
  drawing::Point from, to;
  int lane = 0, bank = 0;
  bool highlighted = false;
};
struct RowLabel {
  drawing::Rect rect;
  std::string text;
  bool excess = false, current = false;
};

struct BankScene {
  bool empty = true;
  std::string empty_text;  // why there is nothing to see
  std::string title;       // "STS.128 [R111], R40"
  std::string place;       // "07_register_tile.cu:108"
  std::string remark;      // "last access, 12 steps ago", or ""
  std::string verdict;     // "2-way conflict", "free of conflicts"
  metrics::BankCount count;
  int wavefront = 0;  // the cursor's, in [0, count.wavefronts)
  size_t record = 0;
  drawing::Rect lanes_label, banks_label;
  std::vector<LaneChip> lanes;
  std::vector<LaneWire> wires;
  int number_every = 1;     // which banks have room for their number
  bool cell_labels = true;  // whether lanes and cells have room for theirs
  std::vector<RowLabel> bank_numbers, rows;
  std::vector<BankCell> cells;
  drawing::Rect grid;  // around all wavefront rows
};

BankScene layout_banks(const experiment::BlockResult& block, Cursor cursor, const Selection& selection,
                       drawing::Rect area, const SceneMetrics& metrics);

// What is under a point, for hovering; null where there is nothing.
const BankCell* bank_cell_at(const BankScene& scene, drawing::Point point);
const LaneChip* lane_chip_at(const BankScene& scene, drawing::Point point);

// "bank 5, word 0x105: lanes 3, 7"
std::string describe(const BankCell& cell);

}  // namespace gemmscope::scenes
