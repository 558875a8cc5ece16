// The picture of the array that an access reads or writes: a grid whose cell colour is the bank. Rows are the
// array's; columns are where the contents belong, so that padding shears the colours and a swizzle shuffles
// them. Where the source declares no such array, the words stand in rows of 32 banks.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/shared_arrays.h"
#include "metrics/banks.h"
#include "scenes/scene_metrics.h"
#include "scenes/selection.h"

namespace gemmscope::scenes {

struct TileCell {
  drawing::Rect rect;
  int64_t word = 0;  // index from the start of shared memory
  int bank = 0;
  int64_t row = 0, column = 0;  // of the array, in words
  uint32_t lanes = 0;           // that access it; 0: none
  int wavefront = -1;           // that serves them; −1: none
  bool current = false;         // the cursor's wavefront serves it
  bool highlighted = false;     // a lane that is pointed at accesses it, or its bank is pointed at
};
struct TileScene {
  drawing::Rect area;  // empty: no room
  drawing::Rect title_rect, note_rect;
  std::string title;  // "tile  32 × 33 float", with the part that is shown
  std::string note;   // "swizzled: each row in the order of its contents", or why there is no array
  std::string short_title, short_note;  // for a narrow place; they leave out what the tooltip says
  std::vector<TileCell> cells;
  drawing::Rect grid;
  int64_t first_row = 0, first_column = 0;  // of the part that is shown, in words
  int rows = 0, columns = 0;
  bool labels = false;  // a cell has room for its bank's number
};

// `title_height`: see tile_title_height.
TileScene layout_tile(const experiment::SharedArrays& arrays,
                      const std::vector<metrics::Wavefront>& wavefronts, int current,
                      const Selection& selection, drawing::Rect area, float title_height,
                      const SceneMetrics& metrics);

// The shape of the grid that layout_tile would show, in words: to choose its place.
struct TileShape {
  int rows = 0, columns = 0;
};
// Of the lines above the grid: two where a panel of this height has room.
float tile_title_height(float panel_height, const SceneMetrics& metrics);
// The lengths that the grid takes of `room`, which is without the title.
float tile_width(TileShape shape, drawing::Size room, float scale);
float tile_height(TileShape shape, drawing::Size room, float scale);
TileShape tile_shape(const experiment::SharedArrays& arrays,
                     const std::vector<metrics::Wavefront>& wavefronts);

const TileCell* tile_cell_at(const TileScene& scene, drawing::Point point);
// "row 3, word 5 of it: byte 0x1a4, bank 9", and which lanes access it
std::string describe(const TileCell& cell);

}  // namespace gemmscope::scenes
