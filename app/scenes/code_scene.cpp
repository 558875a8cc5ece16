#include "scenes/code_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "scenes/control_words.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

// The least characters of code that stay visible: a column of numbers is left out before the text gets
// narrower. Side by side there is more room for both.
constexpr int kSourceCharacters = 46, kWideSourceCharacters = 64, kSassCharacters = 36;
// From this width on the panes are side by side: both texts fit, with two columns each.
constexpr int kSideBySideCharacters = 130;
// So few rows, heads included, are too few for two panes one below the other.
constexpr float kLowRows = 14;
constexpr int kLowSideBySideCharacters = 60;
constexpr int kNumberCharacters = 5;  // line number, address
constexpr float kLeastShare = 0.15f;
constexpr float kSortArrow = 11;  // points
constexpr int kWarpColumns = 8;
constexpr float kWarpMark = 3;  // points

bool has_values(const CodeCounts& counts, CodeColumn column) { return counts.total.applies(column); }

// The most important columns first: the one that the user ranks by, then the most instructive; columns of
// zeros last. While the pipeline is shown, those of the model come first, unless the user sorts.
std::vector<CodeColumn> by_priority(const CodeChoice& choice, const CodeCounts& counts, bool time_first) {
  const bool ranks = counts.total[choice.rank_by] > 0;
  std::vector<CodeColumn> order;
  if (time_first && !choice.sorted) order = {CodeColumn::exposed, CodeColumn::stalled};
  if (ranks) order.push_back(choice.rank_by);
  for (const CodeColumn column :
       {CodeColumn::executions, CodeColumn::exposed, CodeColumn::stalled, CodeColumn::excess_wavefronts,
        CodeColumn::excess_sectors, CodeColumn::lost_ports, CodeColumn::ports, CodeColumn::wavefronts,
        CodeColumn::sectors})
    if (std::ranges::find(order, column) == order.end()) order.push_back(column);
  std::erase_if(order, [&](CodeColumn column) { return !has_values(counts, column); });
  std::stable_partition(order.begin(), order.end(),
                        [&](CodeColumn column) { return counts.total[column] > 0; });
  return order;
}

float column_width(CodeColumn column, const SceneMetrics& metrics, bool sorted) {
  const ColumnName& name = column_name(column);
  const size_t longest = std::max(std::string_view(name.name).size(), std::string_view(name.group).size());
  // Letters are narrower than digits; numbers have six characters at most.
  const float label = static_cast<float>(longest) * metrics.digit_width * 0.95f;
  const float arrow = sorted ? kSortArrow * metrics.scale : 0;
  return std::round(std::max(label, 6 * metrics.code_width) + 5 * metrics.scale + arrow);
}

CodePane lay_out_pane(Rect area, const SceneMetrics& metrics, const CodeChoice& choice,
                      const CodeCounts* counts, CodeSide side, bool stacked, int warps) {
  CodePane pane;
  pane.area = area;
  const float gap = std::round(4 * metrics.scale);
  pane.row_height = metrics.code_height + std::round(2 * metrics.scale);
  Rect head = area;  // its height depends on the columns
  pane.sidescroll = area.cut_bottom(std::round(5 * metrics.scale));
  pane.scrollbar = area.cut_right(std::round(7 * metrics.scale));

  float x = area.left + std::round(3 * metrics.scale);  // room for the bar of the current row
  const auto take = [&](float width, float& left, float& right) {
    left = std::min(x, area.right);
    right = std::min(left + width, area.right);
    x = right + gap;
  };
  take(std::round(metrics.code_width * 1.7f), pane.margin_left, pane.margin_right);
  x -= gap / 2;
  if (warps > 0)
    take(std::round(static_cast<float>(std::min(warps, kWarpColumns)) * kWarpMark * metrics.scale),
         pane.warps_left, pane.warps_right);
  take(std::ceil(kNumberCharacters * metrics.code_width), pane.number_left, pane.number_right);

  const bool controls = side == CodeSide::sass && choice.control_codes;
  const int least = side == CodeSide::sass ? kSassCharacters
                    : stacked              ? kSourceCharacters
                                           : kWideSourceCharacters;
  float room = area.right - x - static_cast<float>(least) * metrics.code_width;
  if (controls)
    room -= kControlColumnCharacters * metrics.code_width + gap;  // the user wants it more than numbers
  const auto sorted = [&](CodeColumn column) {                    // the source is never sorted
    return side == CodeSide::sass && choice.sorted && choice.rank_by == column;
  };
  std::set<CodeColumn> shown;
  if (counts != nullptr) {
    for (const CodeColumn column : by_priority(choice, *counts, warps > 0)) {
      const float width = column_width(column, metrics, sorted(column)) + gap;
      if (width > room) break;
      room -= width;
      shown.insert(column);
    }
  }
  const int head_lines = shown.empty() ? 1 : 2;
  head = area.cut_top(std::round(static_cast<float>(head_lines) * metrics.small_height + 3 * metrics.scale));
  pane.body = area;
  pane.scrollbar.top = area.top;
  for (const CodeColumn column : kAllCodeColumns) {
    if (!shown.contains(column)) continue;
    CodeColumnPlace place;
    place.column = column;
    place.sorted = sorted(column);
    take(column_width(column, metrics, sorted(column)), place.left, place.right);
    place.head = {place.left, head.top, place.right, head.bottom};
    pane.columns.push_back(place);
  }
  // Control codes may take room from the text too, as long as some is left for it.
  if (controls && area.right - x > (kControlColumnCharacters + 12) * metrics.code_width) {
    take(std::ceil(kControlColumnCharacters * metrics.code_width), pane.control_left, pane.control_right);
    pane.control_head = {pane.control_left, head.top, pane.control_right, head.bottom};
  }
  pane.text_left = std::min(x + gap, area.right);
  pane.text_right = area.right;
  pane.head = {pane.text_left, head.top, area.right, head.bottom};
  return pane;
}

}  // namespace

bool CodePane::shows(CodeColumn column) const {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const CodeColumnPlace& place) { return place.column == column; });
}

CodeLayout layout_code(Rect area, const SceneMetrics& metrics, const CodeChoice& choice,
                       const CodeCounts* counts, int warps) {
  CodeLayout layout;
  const float rows = area.height() / metrics.code_height;
  const int characters = rows < kLowRows ? kLowSideBySideCharacters : kSideBySideCharacters;
  layout.stacked = choice.arrangement == Arrangement::stacked ||
                   (choice.arrangement == Arrangement::automatic &&
                    area.width() < static_cast<float>(characters) * metrics.code_width);
  const float share = std::clamp(choice.split, kLeastShare, 1 - kLeastShare);
  const float gap = std::round(9 * metrics.scale);
  Rect rest = area;
  const Rect first = layout.stacked ? rest.cut_top(std::round((area.height() - gap) * share))
                                    : rest.cut_left(std::round((area.width() - gap) * share));
  layout.splitter = layout.stacked ? rest.cut_top(gap) : rest.cut_left(gap);
  layout.source = lay_out_pane(first, metrics, choice, counts, CodeSide::source, layout.stacked, warps);
  layout.sass = lay_out_pane(rest, metrics, choice, counts, CodeSide::sass, layout.stacked, warps);
  return layout;
}

Rect warp_mark(const CodePane& pane, Rect row, int warp, int warps) {
  const int columns = std::clamp(warps, 1, kWarpColumns);
  const int lines = (std::max(1, warps) + columns - 1) / columns;
  const float width = (pane.warps_right - pane.warps_left) / static_cast<float>(columns);
  const float height = row.height() / static_cast<float>(lines);
  const float left = pane.warps_left + static_cast<float>(warp % columns) * width;
  const float top = row.top + static_cast<float>(warp / columns % lines) * height;
  return {left, top, left + width, top + height};
}

int CodeRows::row_of(uint32_t index) const {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const CodeRow& row) { return row.index == index && row.mark < 0; });
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

CodeRows code_rows(CodeSide side, size_t count, std::span<const uint32_t> order,
                   std::span<const CodeMark> marks, int characters) {
  CodeRows result;
  result.first_mark.assign(count, -1);
  result.sentences.resize(marks.size());
  std::vector<std::vector<int>> of_index(count);
  for (size_t m = 0; m < marks.size(); ++m) {
    const int64_t index = side == CodeSide::source ? marks[m].line - 1 : marks[m].instruction;
    if (index < 0 || static_cast<size_t>(index) >= count) continue;
    of_index[static_cast<size_t>(index)].push_back(static_cast<int>(m));
    int& first = result.first_mark[static_cast<size_t>(index)];
    if (first < 0) first = static_cast<int>(m);
  }
  const size_t rows = order.empty() ? count : order.size();
  for (size_t i = 0; i < rows; ++i) {
    const auto index = order.empty() ? static_cast<uint32_t>(i) : order[i];
    if (index >= count) continue;
    result.rows.push_back({index, -1, 0});
    std::set<MarkKind> kinds_shown;
    for (const int m : of_index[index]) {
      const CodeMark& mark = marks[static_cast<size_t>(m)];
      // The sentence is already under the source line; the instruction has only the sign.
      if (side == CodeSide::sass && mark.line > 0) continue;
      std::string sentence = mark.sentence;
      if (side == CodeSide::source) {
        if (!kinds_shown.insert(mark.kind).second) continue;
        const auto alike = std::count_if(of_index[index].begin(), of_index[index].end(), [&](int other) {
          return marks[static_cast<size_t>(other)].kind == mark.kind;
        });
        if (alike > 1)
          sentence += fmt::format(", and {} more {} this line", alike - 1,
                                  mark.instruction < 0 ? "in" : "at instructions of");
      }
      std::vector<std::string>& lines = result.sentences[static_cast<size_t>(m)];
      lines = wrap_words(sentence, characters);
      for (int part = 0; part < static_cast<int>(lines.size()); ++part)
        result.rows.push_back({index, m, part});
    }
  }
  return result;
}

std::vector<PlacedRow> place_rows(const CodePane& pane, const CodeRows& rows, int first) {
  std::vector<PlacedRow> placed;
  const Rect& body = pane.body;
  const float scrolled = static_cast<float>(first) * pane.row_height;
  for (auto r = static_cast<size_t>(first); r < rows.rows.size(); ++r) {
    const float top = std::round(body.top + static_cast<float>(r) * pane.row_height - scrolled);
    if (top + pane.row_height > body.bottom + 1) break;
    placed.push_back({&rows.rows[r], {body.left, top, body.right, top + pane.row_height}});
  }
  return placed;
}

CodeColumn ranking_column(const CodeChoice& choice, const CodeCounts& counts) {
  for (const CodeColumn column : {choice.rank_by, CodeColumn::excess_wavefronts, CodeColumn::excess_sectors})
    if (counts.total[column] > 0) return column;
  return CodeColumn::executions;
}

std::vector<uint32_t> instruction_order(const CodeChoice& choice, const CodeCounts* counts) {
  if (!choice.sorted || counts == nullptr) return {};
  std::vector<uint32_t> order(counts->instructions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return counts->instructions[a][choice.rank_by] > counts->instructions[b][choice.rank_by];
  });
  return order;
}

float heat(const CodeCount& count, const CodeCount& most, CodeColumn column) {
  return most[column] == 0 ? 0 : static_cast<float>(count[column]) / static_cast<float>(most[column]);
}

}  // namespace gemmscope::scenes
