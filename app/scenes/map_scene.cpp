#include "scenes/map_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "scenes/map_marks.h"
#include "scenes/map_story.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::BlockResult;
using metrics::kMatrixA;
using metrics::kMatrixB;
using metrics::kMatrixC;

constexpr int kMostCells = 4096;           // per side of a pane
constexpr float kLongestInstruction = 36;  // characters, in the ladder

// The range of k that the panes of A and B show: the k-tile of the cursor and the one after it.
struct DepthWindow {
  int64_t first = 0;
  int count = 1;
  int tile = 0;  // 0: the kernel has no k-tiles
};
DepthWindow depth_window(const BlockResult& block, size_t record) {
  const int64_t k = block.experiment.problem.k;
  const int64_t tile = block.compiled->launch.tile.block_k > 1 ? block.compiled->launch.tile.block_k : 0;
  const int64_t page = tile > 0 ? tile : 32, shown = tile > 0 ? 2 * tile : 32;
  const int64_t depth = record < block.depths.size() ? std::max(block.depths[record], 0) : 0;
  DepthWindow window;
  window.tile = static_cast<int>(tile);
  window.count = static_cast<int>(std::min({shown, k, int64_t{kMostCells}}));
  window.first =
      std::clamp(depth / page * page, int64_t{0}, std::max(int64_t{0}, (k + page - 1) / page * page - shown));
  window.count = static_cast<int>(std::min<int64_t>(window.count, k - window.first));
  return window;
}

// A trace that ends early has no stores to C, nor has a block that leaves its sums to another launch. The
// rows of A and the columns of B that it read say which part of C they are for.
bool only_reads(const BlockResult& block) {
  return block.footprints[kMatrixC].rows == 0 && block.footprints[kMatrixA].rows > 0 &&
         block.footprints[kMatrixB].rows > 0;
}

// The rows and columns of C that the block accesses, or works for; empty where it accesses none.
Region block_region(const BlockResult& block) {
  const metrics::Footprint &a = block.footprints[kMatrixA], &b = block.footprints[kMatrixB];
  metrics::Footprint f = block.footprints[kMatrixC];
  if (only_reads(block)) f = {a.first_row, b.first_column, a.rows, b.columns};
  if (f.rows > 0)
    return {f.first_row, f.first_column, static_cast<int>(std::min<int64_t>(f.rows, kMostCells)),
            static_cast<int>(std::min<int64_t>(f.columns, kMostCells))};
  return {};
}

// The smallest region that holds these elements of C.
Region around(const BlockResult& block, std::span<const metrics::Tag> tags, const Region& within) {
  int64_t top = INT64_MAX, left = INT64_MAX, bottom = -1, right = -1;
  for (const metrics::Tag tag : tags) {
    const metrics::Element e = metrics::element_of(block.layout, tag);
    if (e.matrix != kMatrixC || !within.contains(e.row, e.column)) continue;
    top = std::min(top, e.row), bottom = std::max(bottom, e.row);
    left = std::min(left, e.column), right = std::max(right, e.column);
  }
  if (bottom < 0) return {};
  return {top, left, static_cast<int>(bottom - top + 1), static_cast<int>(right - left + 1)};
}

// The elements of C of all threads of a warp.
Region warp_region(const BlockResult& block, int warp, const Region& within) {
  std::vector<metrics::Tag> tags;
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
    const size_t thread = static_cast<size_t>(warp) * machine::kWarpLanes + lane;
    if (thread < block.owned.size())
      tags.insert(tags.end(), block.owned[thread].begin(), block.owned[thread].end());
  }
  return around(block, tags, within);
}

// Extends a range to at least `least`, within [first, first + all).
void extend(int64_t& begin, int& count, int least, int64_t first, int all) {
  const int more = std::min(least, all) - count;
  if (more <= 0) return;
  count += more;
  begin = std::clamp(begin - more / 2, first, first + all - count);
}

// The first of a thread's tiles, elements that are adjacent, with its neighbours: at least 8 by 8 elements.
Region thread_region(const BlockResult& block, int thread, const Region& within) {
  constexpr int kLeast = 8;
  if (static_cast<size_t>(thread) >= block.owned.size() || block.owned[static_cast<size_t>(thread)].empty())
    return {};
  std::vector<metrics::Tag> tile;
  int64_t row = 0, first = 0, last = 0, columns_end = 0;
  for (const metrics::Tag tag : block.owned[static_cast<size_t>(thread)]) {  // ascending, row by row
    const metrics::Element e = metrics::element_of(block.layout, tag);
    if (tile.empty()) {
      row = e.row, first = last = e.column, columns_end = INT64_MAX;
    } else if (e.row == row && e.column == last + 1 && e.column < columns_end) {
      last = e.column;
    } else if (e.row == row + 1 && e.column == first) {
      columns_end = std::min(columns_end, last + 1);
      row = e.row, last = e.column;
    } else if (e.row > row + 1) {
      break;
    } else {
      continue;
    }
    tile.push_back(tag);
  }
  Region region = around(block, tile, within);
  if (region.rows == 0) return region;
  extend(region.first_row, region.rows, kLeast, within.first_row, within.rows);
  extend(region.first_column, region.columns, kLeast, within.first_column, within.columns);
  return region;
}

// The zoom's part of C; the block's where the warp or the thread owns nothing.
Region zoomed_region(const BlockResult& block, size_t record, MapZoom zoom) {
  const Region whole = block_region(block);
  if (zoom == MapZoom::block || whole.rows == 0) return whole;
  const machine::TraceRecord& r = block.trace.records[record];
  const int lane = r.executed == 0 ? 0 : std::countr_zero(r.executed);
  const Region part = zoom == MapZoom::warp
                          ? warp_region(block, r.warp, whole)
                          : thread_region(block, r.warp * machine::kWarpLanes + lane, whole);
  return part.rows > 0 ? part : whole;
}

// How far a part may move within all of it, from where it begins.
int64_t within(int64_t first, int length, int64_t all_first, int all_length, int64_t by) {
  return std::clamp(by, all_first - first, all_first + all_length - first - length);
}

}  // namespace

MapView moved(const BlockResult& block, size_t record, MapView view, int64_t rows, int64_t columns) {
  const Region part = zoomed_region(block, record, view.zoom), whole = block_region(block);
  if (part.rows == 0) return view;
  view.rows = within(part.first_row, part.rows, whole.first_row, whole.rows, view.rows + rows);
  view.columns =
      within(part.first_column, part.columns, whole.first_column, whole.columns, view.columns + columns);
  return view;
}

Region shown_region(const BlockResult& block, size_t record, const MapView& view) {
  Region part = zoomed_region(block, record, view.zoom);
  const MapView possible = moved(block, record, view, 0, 0);
  part.first_row += possible.rows;
  part.first_column += possible.columns;
  return part;
}

namespace {

struct CellSizes {
  float k = 1, row = 1, column = 1;  // pixels per step along k, per row of C and per column of C
};
CellSizes cell_sizes(const Region& c, const DepthWindow& window, drawing::Size room, float unit) {
  CellSizes sizes;
  const float shorter = std::min(room.width, room.height);
  const float strip = std::min(std::clamp(0.22f * shorter, 40 * unit, 170 * unit), 0.4f * shorter);
  sizes.k = std::min(strip / static_cast<float>(window.count), 22 * unit);
  if (sizes.k > 1) sizes.k = std::floor(sizes.k);
  const float k_side = sizes.k * static_cast<float>(window.count);
  const float widest = (room.width - k_side) / static_cast<float>(c.columns);
  const float highest = (room.height - k_side) / static_cast<float>(c.rows);
  float square = std::clamp(std::min(widest, highest), 0.02f, 40 * unit);
  if (square > 1 && std::floor(square) / square > 0.88f) square = std::floor(square);
  // A block at the edge may have only a few rows or columns; those are stretched, up to a limit.
  constexpr float kThin = 0.2f, kMostStretch = 6;
  const bool flat = square * static_cast<float>(c.rows) < kThin * (room.height - k_side);
  const bool narrow = square * static_cast<float>(c.columns) < kThin * (room.width - k_side);
  sizes.row = flat && !narrow ? std::clamp(kThin * highest, square, kMostStretch * square) : square;
  sizes.column = narrow && !flat ? std::clamp(kThin * widest, square, kMostStretch * square) : square;
  return sizes;
}

std::string pane_title(const std::string& name, int rows, int columns) {
  return fmt::format("{}  {} \u00d7 {}", name, rows, columns);
}

// "k 16–47" stands in the corner between A and B, once beside each where there is room for both.
void place_k_ranges(MapScene& scene, const DepthWindow& window, Rect corner, const SceneMetrics& metrics) {
  const std::string text = fmt::format("k {}\u2013{}", window.first, window.first + window.count - 1);
  const float line = metrics.small_height, width = static_cast<float>(text.size()) * metrics.digit_width;
  if (corner.height() < line || corner.width() < width) return;
  MatrixPane &a = scene.panes[kMatrixA], &b = scene.panes[kMatrixB];
  a.k_range = text;
  a.k_rect = {corner.left, corner.bottom - line, corner.right, corner.bottom};
  if (corner.height() < 2 * line) return;
  b.k_range = text;
  b.k_rect = {corner.left, corner.top, corner.right, corner.top + line};
}

void place_panes(MapScene& scene, const BlockResult& block, const DepthWindow& window, const Region& c,
                 Rect area, const SceneMetrics& metrics) {
  const float unit = metrics.scale;
  const float gap = std::round(std::min(12 * unit, 0.06f * std::min(area.width(), area.height())));
  // In a very low panel the matrices matter more than their titles.
  const float line = area.height() < 6 * metrics.small_height ? 0 : metrics.small_height;
  // A's title is below it and may be wider than its pane.
  const std::string a_title = pane_title(block.layout.buffers[kMatrixA].name, c.rows, window.count);
  const float strip_estimate = 0.18f * std::min(area.width(), area.height());
  const float left_margin = std::round(
      std::min(std::max(4 * unit, static_cast<float>(a_title.size()) * metrics.digit_width - strip_estimate),
               0.25f * area.width()));
  const drawing::Size room{area.width() - left_margin - gap - unit,
                           area.height() - 2 * line - gap - 2 * unit};
  const CellSizes cell = cell_sizes(c, window, room, unit);
  const float k_side = std::max(1.0f, std::round(cell.k * static_cast<float>(window.count)));
  const float c_width = std::max(1.0f, std::round(cell.column * static_cast<float>(c.columns))),
              c_height = std::max(1.0f, std::round(cell.row * static_cast<float>(c.rows)));
  const std::string c_title = pane_title(block.layout.buffers[kMatrixC].name, c.rows, c.columns);
  const float c_needed = static_cast<float>(c_title.size()) * metrics.digit_width;
  const float title_width = 0.85f * c_needed;  // spaces are narrow
  const float total_width = left_margin + k_side + gap + std::max(c_width, title_width),
              total_height = 2 * line + k_side + gap + c_height;
  const float x = std::round(area.left + std::max(0.0f, (area.width() - total_width) / 2)) + left_margin;
  const float y = std::round(area.top + std::max(0.0f, (area.height() - total_height) / 2)) + line;

  const auto pane = [&](uint8_t matrix, Region region, Rect rect) -> MatrixPane& {
    MatrixPane& p = scene.panes[matrix];
    p.matrix = matrix;
    p.region = region;
    p.rect = rect;
    p.view = {0, 0, static_cast<double>(region.columns), static_cast<double>(region.rows)};
    p.title = pane_title(block.layout.buffers[matrix].name, region.rows, region.columns);
    return p;
  };
  const float c_left = x + k_side + gap, c_top = y + k_side + gap;
  MatrixPane& a = pane(kMatrixA, {c.first_row, window.first, c.rows, window.count},
                       {x, c_top, x + k_side, c_top + c_height});
  MatrixPane& b = pane(kMatrixB, {window.first, c.first_column, window.count, c.columns},
                       {c_left, y, c_left + c_width, y + k_side});
  MatrixPane& result = pane(kMatrixC, c, {c_left, c_top, c_left + c_width, c_top + c_height});
  if (window.tile > 0) a.strong_every = b.strong_every = window.tile;
  result.strong_every = 8;
  const auto range = [](const char* name, int64_t first, int count) {
    return fmt::format("{} {}\u2013{}", name, first, first + count - 1);
  };
  a.range = range("rows", c.first_row, c.rows);
  b.range = range("columns", c.first_column, c.columns);
  result.range = range("rows", c.first_row, c.rows);
  place_k_ranges(scene, window, {area.left, y, x + k_side, c_top - gap / 2}, metrics);
  // The titles are below A, above B and below C, where nothing else is.
  const float b_needed = static_cast<float>(b.title.size()) * metrics.digit_width;
  b.title_rect = {c_left, y - line, std::min(area.right, c_left + std::max(c_width, b_needed)), y};
  a.title_rect = {area.left, c_top + c_height, c_left - gap / 2, c_top + c_height + line};
  result.title_rect = {c_left, c_top + c_height, std::min(area.right, c_left + std::max(c_width, c_needed)),
                       c_top + c_height + line};
}

Rect scaled_part(Rect whole, int64_t rows, int64_t columns, const Region& region) {
  const float x = whole.width() / static_cast<float>(columns), y = whole.height() / static_cast<float>(rows);
  Rect part{whole.left + x * static_cast<float>(region.first_column),
            whole.top + y * static_cast<float>(region.first_row), 0, 0};
  part.right = part.left + std::max(2.0f, x * static_cast<float>(region.columns));
  part.bottom = part.top + std::max(2.0f, y * static_cast<float>(region.rows));
  return part;
}

// Places the overview of where the block is in the whole problem.
void place_overview(MapScene& scene, const BlockResult& block, Rect room, const SceneMetrics& metrics) {
  scene.overview_label = room.cut_top(metrics.small_height);
  room.cut_top(3 * metrics.scale);
  if (room.height() < 24 * metrics.scale || room.width() < 24 * metrics.scale) {
    scene.overview_label = {};
    return;
  }
  const auto m = static_cast<float>(block.experiment.problem.m),
             n = static_cast<float>(block.experiment.problem.n),
             k = static_cast<float>(block.experiment.problem.k);
  const float gap = 3 * metrics.scale;
  const float pixels =
      std::max(0.0f, std::min((room.width() - gap) / (k + n), (room.height() - gap) / (k + m)));
  const float side_k = std::max(2.0f, k * pixels), side_m = std::max(2.0f, m * pixels),
              side_n = std::max(2.0f, n * pixels);
  const float x = room.left, y = room.top;
  const std::array<Rect, 3> whole = {
      Rect{x, y + side_k + gap, x + side_k, y + side_k + gap + side_m},
      Rect{x + side_k + gap, y, x + side_k + gap + side_n, y + side_k},
      Rect{x + side_k + gap, y + side_k + gap, x + side_k + gap + side_n, y + side_k + gap + side_m}};
  const std::array roles = {drawing::Role::matrix_a, drawing::Role::matrix_b, drawing::Role::matrix_c};
  const Region& c = scene.panes[kMatrixC].region;
  const auto depth = static_cast<int>(block.experiment.problem.k);
  const std::array<Region, 3> bands = {Region{c.first_row, 0, c.rows, depth},
                                       Region{0, c.first_column, depth, c.columns}, c};
  for (size_t i = 0; i < 3; ++i) {
    const metrics::MatrixBuffer& buffer = block.layout.buffers[i];
    scene.overview[i] = {whole[i], scaled_part(whole[i], buffer.rows, buffer.columns, bands[i]),
                         scaled_part(whole[i], buffer.rows, buffer.columns, scene.panes[i].region), roles[i]};
  }
}

constexpr float kStackedWordsLines = 9;  // so high that the matrices can spare a line
constexpr float kLeastColumnLines = 6;   // a column that is lower leaves its headline to the panel's title

// Places the texts and the overview in a column beside the matrices if the area is wide; else the texts above
// and below them. Returns the area left for the matrices, which are `aspect` times as wide as high.
Rect place_words(MapScene& scene, const BlockResult& block, float aspect, Rect area,
                 const SceneMetrics& metrics, Rect& overview) {
  const float unit = metrics.scale;
  scene.headline = headline_of(block, scene.record);
  if (area.width() > 1.2f * area.height() && area.width() > 420 * unit) {
    const bool low = area.height() < 12 * metrics.line_height;
    float width = std::clamp(area.width() * 0.34f, 150 * unit, 290 * unit);
    // A low area leaves the matrices little height, and the words what is left of its width.
    const float high = area.height() - 2 * metrics.small_height, titles = 20 * metrics.digit_width;
    const float matrices = std::max(0.92f * high * aspect + 8 * metrics.digit_width, titles);
    if (low) width = std::max(width, std::min(area.width() - matrices, area.width() * 0.62f));
    // The headline whole, where that takes little from the matrices.
    const float headline = static_cast<float>(scene.headline.size()) * metrics.digit_width;
    width = std::max(width, std::min(headline, area.width() * 0.42f));
    Rect column = area.cut_right(width);
    area.cut_right(10 * unit);
    if (column.height() >= kLeastColumnLines * metrics.line_height)
      scene.headline_rect = column.cut_top(metrics.small_height + 2 * unit);
    // In a low column each line counts; in a high one the story stays where it is from step to step.
    const float longest = low ? static_cast<float>(scene.instruction.size()) : kLongestInstruction;
    const float two_lines = std::max(2 * metrics.line_height, 2.4f * metrics.small_height);
    const float instruction_height =
        column.width() < longest * metrics.code_width ? two_lines : metrics.line_height;
    scene.instruction_rect = column.cut_top(instruction_height + 4 * unit);
    // In a low column the story matters more than the overview, which is small there or gone.
    constexpr float kLeastOverview = 64;  // with its title
    const float room =
        low ? column.height() : std::max(column.height() * 0.55f, column.height() - kLeastOverview * unit);
    scene.story_rect = column.cut_top(std::min(7 * metrics.line_height, room));
    column.cut_top(8 * unit);
    overview = column;
    return area;
  }
  if (area.height() < 8 * metrics.line_height) return area;  // no room for words
  Rect head = area.cut_top(metrics.small_height + 2 * unit);
  const float instruction = static_cast<float>(scene.instruction.size()) * metrics.code_width;
  const float headline = static_cast<float>(scene.headline.size()) * metrics.digit_width;
  if (headline + 10 * unit + instruction > head.width() &&
      area.height() > kStackedWordsLines * metrics.line_height) {
    // Too narrow for both in a line.
    scene.headline_rect = head;
    scene.instruction_rect = area.cut_top(instruction > head.width()
                                              ? std::max(2 * metrics.line_height, 2.4f * metrics.small_height)
                                              : metrics.small_height + 2 * unit);
  } else {
    // Where both do not fit, how many passes there are is left out.
    const auto rest_for = [&](size_t letters) {
      return head.width() - 10 * unit - static_cast<float>(letters) * metrics.digit_width;
    };
    if (rest_for(scene.headline.size()) < instruction)
      scene.headline = headline_of(block, scene.record, true);
    scene.instruction_rect = head.cut_right(
        std::min(rest_for(scene.headline.size()), std::max(head.width() * 0.56f, instruction)));
    head.cut_right(10 * unit);
    scene.headline_rect = head;
  }
  scene.story_rect = area.cut_bottom(std::min(2.4f * metrics.line_height, area.height() * 0.32f));
  area.cut_bottom(4 * unit);
  return area;
}

int choose_focus_lane(const BlockResult& block, size_t record, const Selection& selection) {
  if (selection.lane) return *selection.lane;
  const uint32_t executed = block.trace.records[record].executed;
  return executed == 0 ? 0 : std::countr_zero(executed);
}

}  // namespace

MapScene layout_map(const Playhead& playhead, const Selection& selection, Rect area,
                    const SceneMetrics& metrics, std::span<const WarpPlace> warps, const MapView& view) {
  MapScene scene;
  const BlockResult& block = playhead.block();
  if (!block.layout.is_gemm()) {
    scene.empty_text =
        "This kernel's parameters do not name matrices A, B and C, so there is no map of them. Its code, its "
        "shared memory and its counters are shown in the other panels.";
    return scene;
  }
  const Region c = block.trace.records.empty() ? Region{} : shown_region(block, playhead.record(), view);
  if (c.rows == 0) {
    scene.empty_text = without_c(block);
    return scene;
  }
  scene.empty = false;
  const size_t record = playhead.record();
  scene.record = record;
  scene.instruction = instruction_text(*block.compiled, block.trace.records[record].instruction);
  Rect overview;
  const DepthWindow depth = depth_window(block, record);
  const float aspect = static_cast<float>(c.columns + depth.count) / static_cast<float>(c.rows + depth.count);
  const Rect matrices = place_words(scene, block, aspect, area, metrics, overview);
  place_panes(scene, block, depth, c, matrices, metrics);
  place_overview(scene, block, overview, metrics);
  scene.focus_lane = choose_focus_lane(block, record, selection);
  scene.focus_thread = block.trace.records[record].warp * machine::kWarpLanes + scene.focus_lane;
  if (selection.element && selection.element->matrix == kMatrixC) {
    const auto owner =
        block.owners.find(metrics::tag_at(block.layout, block.layout.address_of(*selection.element)));
    if (owner != block.owners.end()) scene.focus_thread = static_cast<int>(owner->second);
  }
  place_marks(scene, playhead, selection, metrics);
  place_lane_labels(scene, playhead, metrics);
  place_owned(scene, block);
  place_guides(scene, playhead, metrics);
  place_warps(scene, block, warps, metrics);
  scene.story = story_of(playhead);
  if (only_reads(block))
    scene.c_note = block.trace.complete ? "nothing stored in C" : "nothing stored in C so far";
  return scene;
}

}  // namespace gemmscope::scenes
