#include "experiment/shared_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace gemmscope::experiment {
namespace {

// Words in a row that hold elements of one line of a matrix, in any order.
struct Row {
  size_t first = 0, words = 0;
  uint8_t matrix = 0;
  int64_t line = 0;
};
enum class Lines : uint8_t { rows, columns };

std::vector<Row> rows_of(const std::vector<metrics::Tag>& origins, const metrics::MatrixLayout& layout,
                         Lines lines) {
  std::vector<Row> rows;
  for (size_t word = 0; word < origins.size(); ++word) {
    if (origins[word] == metrics::kNoTag) continue;
    const metrics::Element element = metrics::element_of(layout, origins[word]);
    const int64_t line = lines == Lines::rows ? element.row : element.column;
    Row* const last = rows.empty() ? nullptr : &rows.back();
    if (last != nullptr && last->matrix == element.matrix && last->line == line &&
        last->first + last->words == word)
      ++last->words;
    else
      rows.push_back({word, 1, element.matrix, line});
  }
  return rows;
}

// Rows of one matrix and one length at equal distances, none of them twice: where it comes again, another
// stage begins.
struct Tile {
  size_t first_row = 0, rows = 0, pitch = 0;  // words
};
std::vector<Tile> tiles_of(const std::vector<Row>& rows) {
  std::vector<Tile> tiles;
  for (size_t first = 0; first < rows.size();) {
    Tile tile{first, 1, rows[first].words};
    std::set<int64_t> lines{rows[first].line};
    for (size_t next = first + 1; next < rows.size(); ++next) {
      const Row &row = rows[next], &before = rows[next - 1];
      const size_t pitch = row.first - before.first;
      if (row.matrix != before.matrix || row.words != before.words ||
          (tile.rows > 1 && pitch != tile.pitch) || !lines.insert(row.line).second)
        break;
      tile.pitch = pitch;
      ++tile.rows;
    }
    first += tile.rows;
    tiles.push_back(tile);
  }
  return tiles;
}

// A row of one word is none, and padding is shorter than what it pads.
bool is_grid(const Tile& tile, const std::vector<Row>& rows) {
  const size_t words = rows[tile.first_row].words;
  return tile.rows >= 2 && words >= 2 && tile.pitch < 2 * words;
}

const char* type_name(const metrics::MatrixBuffer& matrix) {
  return matrix.element_bytes == 2 ? "bfloat16" : "float";
}

}  // namespace

std::vector<SharedArray> arrays_by_contents(const std::vector<metrics::Tag>& origins,
                                            const metrics::MatrixLayout& layout) {
  // Of the two ways to read them the one with fewer, and so longer, rows.
  std::vector<Row> rows = rows_of(origins, layout, Lines::rows);
  std::vector<Row> columns = rows_of(origins, layout, Lines::columns);
  std::vector<SharedArray> arrays;
  std::map<uint8_t, int> tiles_so_far;
  for (uint8_t matrix = 0; matrix < layout.buffers.size(); ++matrix) {
    const auto count = [matrix](const std::vector<Row>& all) {
      return std::ranges::count(all, matrix, &Row::matrix);
    };
    const std::vector<Row>& best = count(columns) < count(rows) ? columns : rows;
    const metrics::MatrixBuffer& buffer = layout.buffers[matrix];
    for (const Tile& tile : tiles_of(best)) {
      if (best[tile.first_row].matrix != matrix || !is_grid(tile, best)) continue;
      SharedArray array;
      const int number = ++tiles_so_far[matrix];
      array.name = number == 1 ? fmt::format("tile of {}", buffer.name)
                               : fmt::format("tile {} of {}", number, buffer.name);
      array.element = type_name(buffer);
      array.element_bytes = buffer.element_bytes;
      array.rows = static_cast<int64_t>(tile.rows);
      array.columns = static_cast<int64_t>(tile.pitch * 4 / buffer.element_bytes);
      array.address = best[tile.first_row].first * 4;
      arrays.push_back(std::move(array));
    }
  }
  return arrays;
}

}  // namespace gemmscope::experiment
