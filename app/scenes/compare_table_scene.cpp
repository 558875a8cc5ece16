#include "scenes/compare_table_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using drawing::Role;

constexpr size_t kValueCharacters = 6, kFactorCharacters = 6;
constexpr float kLetterShare = 0.95f;  // letters are narrower than digits
constexpr float kLeastNote = 90;       // points

size_t characters(const std::string& text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80; }));
}

struct Columns {
  float name = 0, value = 0, factor = 0, mark = 0, note = 0, gap = 0;  // widths

  void place(Rect line, CompareLine& result) const {
    result.rect = line;
    result.name = line.cut_left(name);
    line.cut_left(gap);
    result.a = line.cut_left(value);
    line.cut_left(gap);
    result.b = line.cut_left(value);
    line.cut_left(gap);
    result.factor = line.cut_left(factor);
    line.cut_left(gap / 2);
    result.mark = line.cut_left(mark);
    line.cut_left(gap);
    result.note = note > 0 ? line : Rect{};
  }
};

// As wide as the names and values are; notes where there is room for them.
Columns columns_for(const Comparison& comparison, float width, const CompareTableMetrics& m) {
  size_t longest_value = kValueCharacters, longest_name = characters(comparison.basis);
  for (const CompareRow& row : comparison.rows) {
    if (!is_listed(row)) continue;
    longest_value = std::max({longest_value, characters(row.a), characters(row.b)});
    longest_name = std::max(longest_name, characters(row.name));
  }
  Columns columns;
  columns.gap = std::round(12 * m.screen.scale);
  columns.value = std::ceil(static_cast<float>(longest_value) * m.value_width);
  columns.factor = std::ceil(kFactorCharacters * m.value_width);
  columns.mark = std::round(m.screen.line_height * 0.8f);
  const float rest = width - 2 * columns.value - columns.factor - columns.mark - 4.5f * columns.gap;
  const float wanted = std::ceil(static_cast<float>(longest_name) * m.value_width * kLetterShare);
  columns.name = std::clamp(rest, 0.0f, wanted);
  if (rest - columns.name >= kLeastNote * m.screen.scale) columns.note = rest - columns.name;
  return columns;
}

Role role_of(const CompareRow& row) {
  return row.verdict > 0 ? Role::ok : row.verdict < 0 ? Role::warning : Role::text_dim;
}

}  // namespace

bool is_listed(const CompareRow& row) { return row.a != row.b || !row.change.now; }

std::string same_text(const Comparison& comparison) {
  std::string text;
  for (const CompareRow& row : comparison.rows)
    if (!is_listed(row)) text += fmt::format("{}{} {}", text.empty() ? "" : " \u00b7 ", row.name, row.b);
  return text.empty() ? text : "The same: " + text;
}

CompareTableScene layout_compare_table(const Comparison& comparison, Rect area,
                                       const CompareTableMetrics& m) {
  CompareTableScene scene;
  const float top = area.top, pad = std::round(4 * m.screen.scale);
  scene.headline = area.cut_top(m.title_height + pad);
  scene.reason = area.cut_top(m.reason_height);
  const float line = std::round(m.screen.line_height * 1.2f);
  const Columns columns = columns_for(comparison, area.width(), m);
  CompareLine head;
  columns.place(area.cut_top(line), head);
  scene.basis = head.name;
  scene.head_a = head.a;
  scene.head_b = head.b;
  scene.head_factor = head.factor;
  std::optional<CompareGroup> group;
  float y = area.top;
  for (size_t i = 0; i < comparison.rows.size(); ++i) {
    const CompareRow& row = comparison.rows[i];
    if (!is_listed(row)) continue;
    if (group != row.group) {
      scene.rules.push_back(
          {area.left, y + pad / 2, area.right, y + pad / 2 + std::max(1.0f, m.screen.scale)});
      y += pad + 1;
    }
    group = row.group;
    CompareLine placed;
    columns.place({area.left, y, area.right, y + line}, placed);
    placed.row = i;
    placed.role = role_of(row);
    scene.lines.push_back(placed);
    y += line;
  }
  scene.same = {area.left, y + pad, area.right, y + pad + m.same_height};
  scene.height = scene.same.bottom - top;
  return scene;
}

const CompareLine* compare_line_at(const CompareTableScene& scene, drawing::Point point) {
  const auto found =
      std::ranges::find_if(scene.lines, [&](const CompareLine& line) { return line.rect.contains(point); });
  return found == scene.lines.end() ? nullptr : &*found;
}

}  // namespace gemmscope::scenes
