#include "scenes/tile_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "scenes/lane_chip.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::SharedArray;
using metrics::kBanks;

constexpr int kMostRows = 64, kMostColumns = 256;  // beyond them a cell would be a dot
constexpr float kLeastCell = 3;                    // points
constexpr float kMostCell = 26, kMostStretch = 2.5f;

struct Served {
  uint32_t lanes = 0;
  int wavefront = -1;
  bool current = false;
};
using Words = std::map<int64_t, Served>;

Words words_of(const std::vector<metrics::Wavefront>& wavefronts, int current) {
  Words words;
  for (size_t p = 0; p < wavefronts.size(); ++p)
    for (size_t bank = 0; bank < kBanks; ++bank) {
      if (wavefronts[p].word[bank] < 0) continue;
      Served& served = words[wavefronts[p].word[bank]];
      served.lanes |= wavefronts[p].served[bank];
      if (served.wavefront < 0) served.wavefront = static_cast<int>(p);
      served.current |= static_cast<int>(p) == current;
    }
  return words;
}

// The grid of words: an array's, or rows of 32 banks from a word on.
struct Grid {
  const SharedArray* array = nullptr;
  int64_t first_word = 0, columns = kBanks, rows = 0;

  int64_t content_column(int64_t row, int64_t column) const {
    if (array == nullptr || !array->is_swizzled()) return column;
    return array->content_columns[static_cast<size_t>(row * columns + column)];
  }
};

Grid grid_of(const experiment::SharedArrays& arrays, const Words& words) {
  Grid grid;
  if (words.empty()) return grid;
  const auto first = words.begin()->first, last = words.rbegin()->first;
  const SharedArray* array = arrays.at(static_cast<uint64_t>(first) * 4);
  if (array != nullptr && array->holds(static_cast<uint64_t>(last) * 4)) {
    grid.array = array;
    grid.first_word = static_cast<int64_t>(array->address / 4);
    grid.columns = array->row_words();
    grid.rows = array->rows;
    return grid;
  }
  grid.first_word = first / kBanks * kBanks;
  grid.rows = last / kBanks - first / kBanks + 1;
  return grid;
}

struct Part {
  int64_t first = 0;
  int count = 0;
};
// At most `most` of `all`, so that [from, to] is inside or, where it is longer, its begin.
Part part_around(int64_t from, int64_t to, int64_t all, int64_t most) {
  if (all <= most) return {0, static_cast<int>(all)};
  const int64_t middle = (from + std::min(to, from + most - 1)) / 2;
  return {std::clamp(middle - most / 2, int64_t{0}, all - most), static_cast<int>(most)};
}

struct Window {
  Part rows, columns;
};
Window window_of(const Grid& grid, const Words& words, int64_t most_rows, int64_t most_columns) {
  int64_t row_from = INT64_MAX, row_to = 0, column_from = INT64_MAX, column_to = 0;
  for (const auto& [word, served] : words) {
    const int64_t at = word - grid.first_word, row = at / grid.columns;
    const int64_t column = grid.content_column(row, at % grid.columns);
    row_from = std::min(row_from, row), row_to = std::max(row_to, row);
    column_from = std::min(column_from, column), column_to = std::max(column_to, column);
  }
  return {part_around(row_from, row_to, grid.rows, most_rows),
          part_around(column_from, column_to, grid.columns, most_columns)};
}

struct Titles {
  std::string whole, brief;
};
Titles titles_of(const Grid& grid, const Window& window) {
  if (grid.array == nullptr)
    return {fmt::format("Rows of 32 banks (no 2-D array known), from byte {:#x}", grid.first_word * 4),
            "No 2-D array: 32 banks"};
  std::string part;
  const auto add = [&](const char* name, const Part& shown, int64_t all) {
    if (shown.count < all)
      part += fmt::format("{}{} {}\u2013{}", part.empty() ? "" : ", ", name, shown.first,
                          shown.first + shown.count - 1);
  };
  add("rows", window.rows, grid.rows);
  add("words", window.columns, grid.columns);
  const SharedArray& array = *grid.array;
  const std::string size = fmt::format("{} \u00d7 {}", array.rows, array.columns);
  return {fmt::format("{}  {} {}{}{}", array.name, size, array.element, part.empty() ? "" : ", ", part),
          fmt::format("{}  {}", array.name, part.empty() ? size : part)};
}

}  // namespace

float tile_title_height(float panel_height, const SceneMetrics& metrics) {
  const int lines = panel_height < 230 * metrics.scale ? 1 : 2;
  return static_cast<float>(lines) * metrics.small_height + 4 * metrics.scale;
}

namespace {

drawing::Size cell_size(TileShape shape, drawing::Size room, float scale) {
  const float most = kMostCell * scale;
  drawing::Size cell{std::clamp(room.width / static_cast<float>(shape.columns), 0.0f, most),
                     std::clamp(room.height / static_cast<float>(shape.rows), 0.0f, most)};
  cell.width = std::min(cell.width, kMostStretch * cell.height);
  cell.height = std::min(cell.height, kMostStretch * cell.width);
  return cell;
}

}  // namespace

float tile_width(TileShape shape, drawing::Size room, float scale) {
  return cell_size(shape, room, scale).width * static_cast<float>(shape.columns);
}
float tile_height(TileShape shape, drawing::Size room, float scale) {
  return cell_size(shape, room, scale).height * static_cast<float>(shape.rows);
}

TileShape tile_shape(const experiment::SharedArrays& arrays,
                     const std::vector<metrics::Wavefront>& wavefronts) {
  const Grid grid = grid_of(arrays, words_of(wavefronts, 0));
  return {static_cast<int>(std::min<int64_t>(grid.rows, kMostRows)),
          static_cast<int>(std::min<int64_t>(grid.columns, kMostColumns))};
}

TileScene layout_tile(const experiment::SharedArrays& arrays,
                      const std::vector<metrics::Wavefront>& wavefronts, int current,
                      const Selection& selection, Rect area, float title_height,
                      const SceneMetrics& metrics) {
  TileScene scene;
  const Words words = words_of(wavefronts, current);
  const Grid grid = grid_of(arrays, words);
  if (grid.rows == 0) return scene;
  Rect rest = area;
  Rect head = rest.cut_top(title_height);
  scene.title_rect = head.cut_top(metrics.small_height);
  scene.note_rect =
      head.height() >= metrics.small_height ? head.cut_top(metrics.small_height) : scene.title_rect;
  const float least = std::max(1.0f, kLeastCell * metrics.scale);
  const auto fitting = [&](float length, int most) {
    return std::clamp<int64_t>(static_cast<int64_t>(length / least), 0, most);
  };
  const int64_t most_rows = fitting(rest.height(), kMostRows),
                most_columns = fitting(rest.width(), kMostColumns);
  if (most_rows < 2 || most_columns < 8) return {};
  const Window window = window_of(grid, words, most_rows, most_columns);
  scene.area = area;
  Titles titles = titles_of(grid, window);
  scene.title = std::move(titles.whole);
  scene.short_title = std::move(titles.brief);
  scene.note = grid.array == nullptr       ? arrays.why_none
               : grid.array->is_swizzled() ? "swizzled: each row in the order of its contents"
                                           : "colour: the bank of each word";
  scene.short_note = grid.array == nullptr       ? "the source names no array"
                     : grid.array->is_swizzled() ? "swizzled, by contents"
                                                 : "colour: bank";
  scene.first_row = window.rows.first;
  scene.first_column = window.columns.first;
  scene.rows = window.rows.count;
  scene.columns = window.columns.count;
  const drawing::Size size = cell_size({scene.rows, scene.columns}, rest.size(), metrics.scale);
  scene.labels = size.width >= 2.3f * metrics.digit_width && size.height >= metrics.small_height - 2;
  const auto x = [&](int64_t column) {
    return std::round(rest.left + size.width * static_cast<float>(column - window.columns.first));
  };
  const auto y = [&](int64_t row) {
    return std::round(rest.top + size.height * static_cast<float>(row - window.rows.first));
  };
  scene.grid = {x(window.columns.first), y(window.rows.first), x(window.columns.first + window.columns.count),
                y(window.rows.first + window.rows.count)};
  for (int64_t row = window.rows.first; row < window.rows.first + window.rows.count; ++row)
    for (int64_t stored = 0; stored < grid.columns; ++stored) {
      const int64_t column = grid.content_column(row, stored);
      if (column < window.columns.first || column >= window.columns.first + window.columns.count) continue;
      TileCell cell;
      cell.word = grid.first_word + row * grid.columns + stored;
      cell.bank = static_cast<int>(cell.word % kBanks);
      cell.row = row;
      cell.column = column;
      cell.rect = {x(column), y(row), x(column + 1), y(row + 1)};
      if (const auto served = words.find(cell.word); served != words.end()) {
        cell.lanes = served->second.lanes;
        cell.wavefront = served->second.wavefront;
        cell.current = served->second.current;
      }
      cell.highlighted = lane_highlighted(selection, cell.lanes);
      scene.cells.push_back(cell);
    }
  return scene;
}

const TileCell* tile_cell_at(const TileScene& scene, drawing::Point point) {
  for (const TileCell& cell : scene.cells)
    if (cell.rect.contains(point)) return &cell;
  return nullptr;
}

std::string describe(const TileCell& cell) {
  std::string text = fmt::format("row {}, word {} of it: byte {:#x}, bank {}", cell.row, cell.column,
                                 cell.word * 4, cell.bank);
  if (cell.lanes != 0)
    text += fmt::format("\n{} {} in wavefront {}", std::has_single_bit(cell.lanes) ? "lane" : "lanes",
                        lane_list(cell.lanes), cell.wavefront + 1);
  return text;
}

}  // namespace gemmscope::scenes
