// The picture of one global access: 32 lanes above, below them the 128-byte lines that they touch. Each line
// is a row of four sectors with eight words. Words that are fetched but not used look different.
#pragma once

#include <string>
#include <vector>

#include "metrics/sectors.h"
#include "scenes/access_heading.h"
#include "scenes/broadcast.h"
#include "scenes/lane_chip.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct SectorWord {
  drawing::Rect rect;
  int line = 0, word = 0;  // row; word of the line, 0–31
  uint32_t lanes = 0;      // lanes that touch a byte of it; 0: none
  int first_lane = 0;      // gives the word its colour
  bool fetched = false;    // its sector is fetched
  bool highlighted = false;
  std::string label;
};
struct SectorFrame {
  drawing::Rect rect;
  int line = 0, sector = 0;  // of the line, 0–3
  int used_bytes = 0;
};

struct SectorScene {
  bool empty = true;
  std::string empty_text;
  AccessHeading heading;
  metrics::SectorCount count;
  Broadcast broadcast;
  // Sectors are fetched in vain. Unused bytes alone are not: a broadcast of one word uses 4 of 32.
  bool has_excess() const { return count.excess() > 0; }
  int used_bytes = 0, fetched_bytes = 0;  // distinct bytes that the lanes touch; 32 per sector
  std::string direction;                  // "load", "store"
  size_t record = 0;
  drawing::Rect lanes_label, lines_label, grid;
  std::vector<LaneChip> lanes;
  bool cell_labels = true;
  std::vector<RowLabel> offsets;     // above the sectors: bytes from the start of a line
  std::vector<RowLabel> rows;        // lines: bytes from the first line; excess: fetched bytes are unused
  std::vector<SectorFrame> sectors;  // those that are fetched
  std::vector<SectorWord> words;     // of all lines
};

SectorScene layout_sectors(const experiment::BlockResult& block, Cursor cursor, const Selection& selection,
                           drawing::Rect area, const SceneMetrics& metrics);

const SectorWord* sector_word_at(const SectorScene& scene, drawing::Point point);
// "bytes 32–35 of line +128: lane 5"
std::string describe(const SectorWord& word, const SectorScene& scene);

}  // namespace gemmscope::scenes
