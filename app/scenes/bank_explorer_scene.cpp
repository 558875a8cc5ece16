#include "scenes/bank_explorer_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::BankAccess;
using experiment::BankAnswer;
using metrics::Misfit;

// By word of a row: the column of words where its content belongs. Empty where a swizzle splits words.
std::vector<int32_t> content_columns(const metrics::TileLayout& layout) {
  const int64_t per_word = std::max<int64_t>(1, 4 / layout.element_bytes);
  const int64_t words_each = std::max<int64_t>(1, layout.element_bytes / 4);
  const int64_t row_words = layout.pitch_bytes() / 4, lines = layout.planes * layout.rows;
  std::vector<int32_t> columns(static_cast<size_t>(lines * row_words));
  for (int64_t line = 0; line < lines; ++line) {
    const auto word = [&](int64_t w) -> int32_t& {
      return columns[static_cast<size_t>(line * row_words + w)];
    };
    for (int64_t w = 0; w < row_words; ++w) word(w) = static_cast<int32_t>(w);
    for (int64_t column = 0; column < layout.columns; column += per_word) {
      const int64_t place = layout.place(line % layout.rows, column);
      if (place % per_word != 0) return {};
      for (int64_t i = 0; i < words_each; ++i)
        word(place / per_word * words_each + i) = static_cast<int32_t>(column / per_word * words_each + i);
    }
  }
  return columns;
}

bool is_swizzled(const metrics::TileLayout& layout) { return layout.swizzle.any() || !layout.places.empty(); }

void write_head(const BankAccess& access, ExplorerPicture& picture) {
  const metrics::BankCount& count = access.count;
  picture.misfit = access.where.misfit != Misfit::none;
  picture.excess = count.excess();
  picture.sentence_text = experiment::sentence_of(access);
  if (picture.misfit) {
    picture.plate_text = access.where.misfit == Misfit::misaligned ? "misaligned" : "torn apart";
    picture.headline_text = "not an access that an instruction can make";
    return;
  }
  picture.plate_text = fmt::format("{} wavefront{}", count.wavefronts, plural(count.wavefronts));
  picture.headline_text = picture.excess == 0
                              ? "as few as possible: no bank conflict"
                              : fmt::format("where {} would do: {} bank conflict{}", count.minimum,
                                            picture.excess, plural(picture.excess));
}

Rect padding_columns(const metrics::TileLayout& layout, const TileScene& tile) {
  const int64_t words = layout.columns * layout.element_bytes / 4;
  const int64_t end = tile.first_column + tile.columns;
  if (layout.padding == 0 || tile.columns == 0 || end <= words) return {};
  Rect rect = tile.grid;
  const auto shown = static_cast<float>(std::max<int64_t>(0, words - tile.first_column));
  rect.left = std::round(rect.left + rect.width() * shown / static_cast<float>(tile.columns));
  return rect;
}

std::string declared(const experiment::BankTile& tile, int padding) {
  const metrics::TileLayout& layout = tile.layout;
  const std::string last = fmt::format("[{}]", layout.columns + padding);
  if (tile.dimensions == 1) return last;
  if (tile.dimensions == 2) return fmt::format("[{}]{}", layout.rows, last);
  return fmt::format("[{}][{}]{}", layout.planes, layout.rows, last);
}

int blocks_with(metrics::OccupancyPoint point, int64_t more_bytes) {
  const metrics::SmLimits* sm = metrics::sm_limits(point.compute_capability);
  point.needs.shared_bytes += static_cast<int>(more_bytes);
  return sm == nullptr ? 0 : metrics::occupancy(*sm, point.needs).blocks;
}

}  // namespace

experiment::SharedArrays tile_array(const experiment::BankTile& tile) {
  const metrics::TileLayout& layout = tile.layout;
  if (tile.dimensions == 1 || layout.rows * layout.planes < 2)
    return {{}, "The tile has one dimension, so its words are shown in rows of 32 banks."};
  if (layout.pitch_bytes() % 4 != 0)
    return {{}, "A row of the tile is no whole number of words, so they are shown in rows of 32 banks."};
  experiment::SharedArray array;
  array.name = tile.name;
  array.element = tile.type;
  array.element_bytes = layout.element_bytes;
  array.rows = layout.planes * layout.rows;
  array.columns = layout.columns + layout.padding;
  if (is_swizzled(layout)) array.content_columns = content_columns(layout);
  return {{array}, ""};
}

ExplorerPicture layout_explorer(const BankAnswer& answer, size_t chosen, int wavefront,
                                const Selection& selection, Rect area, const SceneMetrics& metrics,
                                const MeasureTitle& measure) {
  ExplorerPicture picture;
  const BankAccess& access = answer.accesses[std::min(chosen, answer.accesses.size() - 1)];
  write_head(access, picture);
  const float gap = std::round(10 * metrics.scale);
  Rect head = area.cut_top(std::min(std::round(2.1f * metrics.line_height), area.height()));
  picture.plate = head.cut_left(
      std::min(std::ceil(measure(picture.plate_text)) + 3 * gap, std::round(head.width() * 0.6f)));
  head.cut_left(gap);
  picture.headline = head;
  area.cut_top(std::min(std::round(gap / 2), area.height()));
  picture.sentence = area.cut_top(std::min(std::round(2.5f * metrics.line_height), area.height()));
  area.cut_top(std::min(std::round(gap / 2), area.height()));
  if (picture.misfit) return picture;
  picture.banks =
      layout_access(access.where.access, tile_array(answer.tile), wavefront, selection, area, metrics);
  if (!picture.banks.tile.area.empty())
    picture.padding = padding_columns(answer.tile.layout, picture.banks.tile);
  return picture;
}

FixText padding_text(const BankAnswer& answer, int padding, int64_t bytes,
                     const std::optional<metrics::OccupancyPoint>& needs) {
  const metrics::TileLayout& layout = answer.tile.layout;
  if (padding == 0) return {fmt::format("{} as it is", declared(answer.tile, 0)), "nothing to change"};
  const int64_t plain = layout.planes * layout.rows * layout.columns * layout.element_bytes;
  FixText text{fmt::format("{}, {} of padding", declared(answer.tile, padding), padding),
               fmt::format("{} byte{} more ({:.1f} %), no instruction", grouped(static_cast<uint64_t>(bytes)),
                           plural(bytes), 100.0 * static_cast<double>(bytes) / static_cast<double>(plain))};
  if (!needs) return text;
  const int before = blocks_with(*needs, 0), after = blocks_with(*needs, bytes);
  text.cost += before == after ? fmt::format("; {} block{} an SM as before", after, plural(after))
                               : fmt::format("; {} \u2192 {} block{} an SM", before, after, plural(after));
  return text;
}

FixText swizzle_text(const BankAnswer& answer, const metrics::XorSwizzle& swizzle) {
  const int operations = metrics::operation_count(swizzle, answer.tile.layout);
  return {metrics::expression_of(swizzle, answer.tile.layout),
          fmt::format("no byte more; {} operation{} in the expression", operations, plural(operations))};
}

std::vector<std::string> missing_fixes(const BankAnswer& answer, const metrics::LayoutFixes& fixes) {
  std::vector<std::string> sentences;
  const metrics::TileLayout& layout = answer.tile.layout;
  if (!fixes.padding)
    sentences.push_back(
        answer.tile.dimensions == 1
            ? "Padding follows rows, and this tile has one: declare it with two dimensions."
            : fmt::format("No padding up to {} elements frees every access.", metrics::kMostPadding));
  if (fixes.swizzles.empty())
    sentences.push_back(
        metrics::xor_swizzles(layout).empty()
            ? fmt::format("A row of {} elements has no XOR swizzle: it needs a multiple of a power of "
                          "two.",
                          layout.columns)
            : "No XOR swizzle of the column with bits of the row frees every access.");
  return sentences;
}

}  // namespace gemmscope::scenes
