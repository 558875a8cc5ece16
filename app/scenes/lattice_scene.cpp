#include "scenes/lattice_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/text.h"
#include "sm/bound.h"

namespace gemmscope::scenes {
namespace {

using drawing::AlignX;
using drawing::Rect;
using experiment::Lattice;
using experiment::LatticeColumn;
using experiment::LatticeEntry;
using experiment::LatticeOrder;

struct ColumnStyle {
  LatticeColumn column;
  bool ratio;  // the second column of the time
  const char *title, *hint;
  float characters;
  int keep;  // the columns with the lowest number are left out first
};
constexpr ColumnStyle kColumns[] = {
    {LatticeColumn::time, false, "ms", "Modelled time in milliseconds, one run of the model", 9, 9},
    {LatticeColumn::time, true, "ratio", "Modelled time, of that of the variant as chosen", 7, 8},
    {LatticeColumn::timed, false, "timed", "Measured or recorded time in milliseconds, where there is one", 9,
     7},
    {LatticeColumn::registers, false, "regs", "Registers of a thread", 5, 6},
    {LatticeColumn::blocks, false, "blk/SM", "Blocks that fit an SM at once", 7, 5},
    {LatticeColumn::occupancy, false, "occ.", "Modelled occupancy: warps resident on average", 6, 3},
    {LatticeColumn::excess, false, "excess",
     "Wavefronts of shared memory beyond the fewest possible, of the whole grid: bank conflicts", 8, 4}};

constexpr float kLeastNameCharacters = 26;
constexpr float kRowPad = 3;

std::string figure(const LatticeEntry& entry, const ColumnStyle& column, double chosen_ms) {
  switch (column.column) {
    case LatticeColumn::time:
      if (!column.ratio) return fmt::format("{:#.4g}", entry.milliseconds);
      return chosen_ms > 0 ? fmt::format("{:.3f}", entry.milliseconds / chosen_ms) : "";
    case LatticeColumn::registers:
      return std::to_string(entry.registers);
    case LatticeColumn::blocks:
      return std::to_string(entry.blocks_per_sm);
    case LatticeColumn::occupancy:
      return fmt::format("{:.0f} %", 100 * entry.occupancy);
    case LatticeColumn::excess:
      return short_number(entry.excess_wavefronts);
    case LatticeColumn::timed:
      return entry.timed_ms > 0 ? fmt::format("{:#.4g}", entry.timed_ms) : "\u2013";
    case LatticeColumn::change:
      break;
  }
  return {};
}

// The columns for which there is room beside the names, in their order.
std::vector<ColumnStyle> fitting_columns(float width, float digit, bool any_timed) {
  std::vector<ColumnStyle> columns;
  for (const ColumnStyle& column : kColumns)
    if (any_timed || column.column != LatticeColumn::timed) columns.push_back(column);
  const auto needed = [&] {
    float characters = kLeastNameCharacters;
    for (const ColumnStyle& column : columns) characters += column.characters;
    return characters * digit;
  };
  while (columns.size() > 1 && needed() > width)
    columns.erase(std::ranges::min_element(columns, {}, &ColumnStyle::keep));
  return columns;
}

const char* timed_title(const Lattice& lattice) {
  for (const LatticeEntry& entry : lattice.entries)
    if (entry.timed_ms > 0 && entry.timed == experiment::Provenance::measured) return "measured";
  return "recorded";
}

std::string title_of(const Lattice& lattice) {
  const LatticeEntry* best = experiment::best_entry(lattice);
  if (best == nullptr) return lattice.finished ? "No variant has a modelled time" : "Nothing modelled yet";
  std::string text = fmt::format("Best: {}", best->point.name);
  const double chosen = lattice.entries.front().milliseconds;
  if (chosen > 0 && best != &lattice.entries.front())
    text += fmt::format(", {:.2f}x as fast", chosen / best->milliseconds);
  return text;
}

class Layout {
 public:
  Layout(const Lattice& lattice, const LatticeOrder& order, Rect area, const SceneMetrics& metrics)
      : lattice_(lattice), order_(order), area_(area), m_(metrics) {}

  LatticeScene make(int first_row) {
    lay_out_heading();
    scene_.body = area_;
    lay_out_heads();
    lay_out_rows(first_row);
    return std::move(scene_);
  }

 private:
  float px(float points) const { return points * m_.scale; }

  // The lines that a text of this length takes when it is wrapped, a few of them at most.
  float wrapped_height(const std::string& text) const {
    constexpr float kMostLines = 5;
    const float lines = std::ceil(static_cast<float>(text.size()) * m_.digit_width / area_.width());
    return std::clamp(lines, 1.0f, kMostLines) * (m_.small_height + px(2)) + px(2);
  }

  // The least needed parts are left out first where the area is low.
  void lay_out_heading() {
    scene_.title_text = title_of(lattice_);
    scene_.sentence_text = experiment::best_sentence(lattice_);
    scene_.coverage_text = fmt::format("{}, {}: {}", lattice_.device, experiment::size_text(lattice_.problem),
                                       experiment::coverage_sentence(lattice_));
    scene_.done = static_cast<double>(lattice_.computed()) / static_cast<double>(lattice_.entries.size());
    const float room = area_.height();
    if (room > 4 * m_.line_height) {
      Rect row = area_.cut_top(m_.line_height + px(8));
      scene_.badge = row.cut_left(std::min(row.width() / 2, m_.digit_width * 13));
      row.cut_left(px(8));
      scene_.title = row;
    }
    if (room > 14 * m_.line_height) scene_.sentence = area_.cut_top(wrapped_height(scene_.sentence_text));
    if (room > 8 * m_.line_height) {
      scene_.coverage = area_.cut_top(wrapped_height(scene_.coverage_text));
      scene_.progress = area_.cut_top(px(3));
      area_.cut_top(px(4));
    }
  }

  void lay_out_heads() {
    const bool any_timed =
        std::ranges::any_of(lattice_.entries, [](const LatticeEntry& entry) { return entry.timed_ms > 0; });
    columns_ = fitting_columns(area_.width(), m_.digit_width, any_timed);
    Rect head = area_.cut_top(m_.small_height + px(4));
    for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
      cells_.insert(cells_.begin(), head.cut_right(column->characters * m_.digit_width));
    add_head(head, "change", "The toggles that are changed", LatticeColumn::change, AlignX::left);
    for (size_t i = 0; i < columns_.size(); ++i) {
      const ColumnStyle& c = columns_[i];
      const bool timed = c.column == LatticeColumn::timed;
      add_head(cells_[i], timed ? timed_title(lattice_) : c.title, c.hint, c.column, AlignX::right);
      if (c.ratio) scene_.heads.back().sorted = false;
    }
  }

  void add_head(Rect rect, const std::string& title, const char* hint, LatticeColumn column, AlignX align) {
    const bool sorted = order_.column == column;
    scene_.heads.push_back({rect, title, hint, column, sorted, align});
  }

  void lay_out_rows(int first_row) {
    const std::vector<size_t> sorted = experiment::sorted_entries(lattice_, order_);
    const float height = m_.small_height + px(kRowPad);
    const auto all = static_cast<int>(sorted.size());
    auto room = static_cast<int>(std::max(0.0f, std::floor(area_.height() / height)));
    if (room < all && room > 0) {
      scene_.more = area_.cut_bottom(height);
      --room;
    }
    scene_.all_rows = all;
    scene_.first_row = std::clamp(first_row, 0, std::max(0, all - room));
    const int last = std::min(all, scene_.first_row + room);
    double longest = 0;
    for (int i = scene_.first_row; i < last; ++i)
      longest = std::max(longest, lattice_.entries[sorted[static_cast<size_t>(i)]].milliseconds);
    for (int i = scene_.first_row; i < last; ++i)
      add_row(sorted[static_cast<size_t>(i)], area_.cut_top(height), longest);
    if (!scene_.more.empty())
      scene_.more_text = fmt::format("{}\u2013{} of {} variants", scene_.first_row + 1, last,
                                     grouped(static_cast<uint64_t>(all)));
  }

  void add_row(size_t index, Rect rect, double longest) {
    const LatticeEntry& entry = lattice_.entries[index];
    LatticeRow row;
    row.entry = index;
    row.rect = rect;
    row.name = entry.point.name;
    row.chosen = index == 0;
    row.best = &entry == experiment::best_entry(lattice_);
    row.name_rect = {rect.left + px(4), rect.top, cells_.front().left - px(4), rect.bottom};
    if (!entry.has_time()) {
      row.trouble = entry.trouble;
    } else {
      row.bar = row.rect;
      row.bar.right =
          rect.left + (cells_.front().left - rect.left) * static_cast<float>(entry.milliseconds / longest);
      row.bar.top = rect.bottom - px(2);
    }
    for (size_t i = 0; i < columns_.size(); ++i) {
      row.cells.push_back({cells_[i].left, rect.top, cells_[i].right - px(4), rect.bottom});
      row.figures.push_back(entry.has_time() || columns_[i].column == LatticeColumn::timed
                                ? figure(entry, columns_[i], lattice_.entries.front().milliseconds)
                                : "");
    }
    row.timed_measured = entry.timed == experiment::Provenance::measured;
    scene_.rows.push_back(std::move(row));
  }

  const Lattice& lattice_;
  const LatticeOrder& order_;
  Rect area_;
  const SceneMetrics& m_;
  LatticeScene scene_;
  std::vector<ColumnStyle> columns_;
  std::vector<Rect> cells_;  // of the heads, parallel to columns_
};

}  // namespace

LatticeScene layout_lattice(const Lattice& lattice, const LatticeOrder& order, int first_row, Rect area,
                            const SceneMetrics& metrics) {
  return Layout(lattice, order, area, metrics).make(first_row);
}

int lattice_row_at(const LatticeScene& scene, drawing::Point point) {
  for (size_t i = 0; i < scene.rows.size(); ++i)
    if (scene.rows[i].rect.contains(point)) return static_cast<int>(i);
  return -1;
}

std::string describe_point(const catalog::Kernel& kernel, const Lattice& lattice, size_t index) {
  const LatticeEntry& entry = lattice.entries[index];
  std::string text;
  for (const experiment::ToggleChange& change : entry.point.changes) {
    if (change.toggle >= kernel.toggles.size()) continue;
    const catalog::Toggle& toggle = kernel.toggles[change.toggle];
    text += fmt::format("{}: {}\n", toggle.title, toggle.label_of(toggle.values[change.value]));
  }
  if (index == 0) text = "The variant as chosen.\n";
  if (!entry.has_time()) return text + entry.trouble;
  text += fmt::format("Modelled: {:.4g} ms. ", entry.milliseconds);
  const LatticeEntry& chosen = lattice.entries.front();
  if (index == 0 || chosen.figures == nullptr) return text + sm::bound_of(*entry.figures).sentence;
  return text + sm::explain_difference(entry.point.name, *chosen.figures, *entry.figures);
}

LatticeOrder order_after_click(LatticeOrder order, LatticeColumn column) {
  order.descending = order.column == column && !order.descending;
  order.column = column;
  return order;
}

}  // namespace gemmscope::scenes
