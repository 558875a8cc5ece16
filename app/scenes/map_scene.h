// The picture of C = A·B for one block: A is to the left of C and B above it, so that an element of C is
// where its row of A meets its column of B. It shows the block's rows and columns and a window of k around
// the cursor; a small overview shows where in the whole problem that is.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drawing/cell_grid.h"
#include "drawing/color.h"
#include "drawing/geometry.h"
#include "drawing/palette.h"
#include "scenes/pipeline_place.h"
#include "scenes/playhead.h"
#include "scenes/scene_metrics.h"
#include "scenes/selection.h"

namespace gemmscope::scenes {

// How much of C is shown: the block's part, that of the followed warp, or one of the tiles of a thread.
enum class MapZoom : uint8_t { block, warp, thread };

// The part of C that the map shows: the zoom's part, moved by the user. The block's part is all of it, so it
// does not move.
struct MapView {
  // NOLINTNEXTLINE(google-explicit-constructor): a zoom is a view
  MapView(MapZoom at = MapZoom::block, int64_t down = 0, int64_t right = 0)
      : zoom(at), rows(down), columns(right) {}
  MapZoom zoom;
  int64_t rows, columns;  // elements, down and to the right
  friend bool operator==(const MapView&, const MapView&) = default;
};

// The part of a matrix that a pane shows.
struct Region {
  int64_t first_row = 0, first_column = 0;
  int rows = 0, columns = 0;
  bool contains(int64_t row, int64_t column) const {
    return row >= first_row && row < first_row + rows && column >= first_column &&
           column < first_column + columns;
  }
  friend bool operator==(const Region&, const Region&) = default;
};

struct MatrixPane {
  uint8_t matrix = 0;
  Region region;
  drawing::Rect rect;      // of the cells
  drawing::CellView view;  // all of the region
  int strong_every = 0;    // cells between stronger grid lines, 0 for none
  drawing::Rect title_rect, range_rect;
  drawing::AlignX title_align = drawing::AlignX::left;
  std::string title, range;  // of the part that is shown: "A  128 × 32", "rows 0–127"
  drawing::Rect k_rect;      // of `k_range`, A and B only; empty: no room
  std::string k_range;       // "k 16–47"
};

// One element that the current instruction works on; `lanes` share it.
struct CellMark {
  drawing::Rect rect;
  metrics::Element element;
  uint32_t lanes = 0;
  int first_lane = 0;
  bool written = false;      // written or accumulated, not read
  bool highlighted = false;  // it is the selected element or belongs to the selected lane
  std::string label;         // the lane's number, where the cell has room
};

// The lane that owns an element of C, where the cell has room for its number.
struct LaneLabel {
  drawing::Rect rect;
  std::string text;
  drawing::Color cell;  // on which it stands
};

// An element, or a run of elements, that a warp other than the followed one works on or owns.
struct WarpCells {
  drawing::Rect rect;
  int warp = 0;
};

struct OverviewPart {
  drawing::Rect matrix, block, window;  // the matrix, the block's part of it, the part that the pane shows
  drawing::Role role = drawing::Role::matrix_a;
};

struct MapScene {
  bool empty = true;
  std::string empty_text;
  size_t record = 0;
  std::array<MatrixPane, 3> panes;  // A, B, C
  std::vector<CellMark> marks;
  std::vector<LaneLabel> lane_labels;
  std::vector<drawing::Rect> owned;      // the focus thread's elements of C
  std::vector<WarpCells> warp_marks;     // what the last instructions of the other warps work on
  std::vector<WarpCells> warp_owned;     // the elements of C of the focus lane of the other warps
  std::vector<drawing::Rect> guides;     // lines from the focus lane's elements of A and B to that of C
  int focus_lane = -1;                   // the lane of `guides`
  int focus_thread = -1;                 // within the block
  std::array<OverviewPart, 3> overview;  // empty rectangles where there is no room for it
  drawing::Rect overview_label;
  // Beside the matrices where the area is wide, else above and below them. Where there is no room for the
  // headline its rectangle is empty.
  drawing::Rect headline_rect, instruction_rect, story_rect;
  std::string headline;     // "warp 0 · pass 3 of 16"
  std::string instruction;  // "FFMA R112, R24, R28, R107"
  std::string story;        // what the instruction does, in a sentence
  std::string c_note;       // why C's pane has no owners; else empty
};

// `warps`: where the warps of the block are at this moment; empty where time does not move in cycles.
MapScene layout_map(const Playhead& playhead, const Selection& selection, drawing::Rect area,
                    const SceneMetrics& metrics, std::span<const WarpPlace> warps = {},
                    const MapView& view = {});

// The part of C that layout_map shows at this record; it stays within the block's. Empty: the block writes
// none.
Region shown_region(const experiment::BlockResult& block, size_t record, const MapView& view);
// The view moved by so many elements of C, as far as the block's part goes.
MapView moved(const experiment::BlockResult& block, size_t record, MapView view, int64_t rows,
              int64_t columns);

// The element under a point, in any pane.
std::optional<metrics::Element> element_at(const MapScene& scene, drawing::Point point);

// Colours of a pane's cells, row-major. A and B: how often each element has been read so far. C: which warp
// owns it; the colour grows with the passes of the warp and is solid once the element is stored.
std::vector<drawing::Color> read_colors(const Playhead& playhead, uint8_t matrix, const Region& region);
drawing::Color owner_color(const Playhead& playhead, metrics::Tag element, uint32_t thread);
std::vector<drawing::Color> owner_colors(const Playhead& playhead, const Region& region);

// "A(3, 7): read from global memory 2 times so far by this block; used now by lanes 0–15"
std::string describe(const Playhead& playhead, const metrics::Element& element);

// "A, 256 × 256: the picture shows rows 0–127 and columns 0–31"
std::string describe_overview(const experiment::BlockResult& block, const MapScene& scene, size_t matrix);

}  // namespace gemmscope::scenes
