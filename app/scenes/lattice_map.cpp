#include "scenes/lattice_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::Lattice;
using experiment::LatticeEntry;
using experiment::ToggleChange;

constexpr float kToggleCharacters = 18, kValueCharacters = 7;  // the second where a row is high enough
constexpr float kToggleGap = 2;                                // points between the values of two toggles

using ChangeId = std::pair<size_t, size_t>;  // toggle and value
ChangeId id_of(const ToggleChange& change) { return {change.toggle, change.value}; }

// The changes of all entries in the toggles' order, each with its place on both axes.
std::map<ChangeId, size_t> changes_of(const Lattice& lattice) {
  std::map<ChangeId, size_t> changes;
  for (const LatticeEntry& entry : lattice.entries)
    for (const ToggleChange& change : entry.point.changes) changes.emplace(id_of(change), 0);
  size_t place = 0;
  for (auto& [change, at] : changes) at = place++;
  return changes;
}

// Where the cells of one axis begin and end: equally long, with a gap between toggles.
std::vector<std::pair<float, float>> spans_of(const std::map<ChangeId, size_t>& changes, float from, float to,
                                              float gap) {
  size_t gaps = 0, last = changes.begin()->first.first;
  for (const auto& [change, place] : changes) gaps += std::exchange(last, change.first) != change.first;
  const float each =
      std::max(1.0f, (to - from - gap * static_cast<float>(gaps)) / static_cast<float>(changes.size()));
  std::vector<std::pair<float, float>> spans;
  float at = from;
  last = changes.begin()->first.first;
  for (const auto& [change, place] : changes) {
    if (std::exchange(last, change.first) != change.first) at += gap;
    spans.emplace_back(std::round(at), std::round(at + each));
    at += each;
  }
  return spans;
}

float change_of(const LatticeEntry& entry, double chosen_ms) {
  if (!entry.has_time() || chosen_ms <= 0) return 0;
  return std::clamp(static_cast<float>(std::log2(entry.milliseconds / chosen_ms)), -1.0f, 1.0f);
}

bool has_values(float row_height, const SceneMetrics& m) { return row_height >= m.small_height * 0.85f; }

void add_labels(LatticeMap& map, const std::map<ChangeId, size_t>& changes, const catalog::Kernel& kernel,
                Rect gutter, const std::vector<std::pair<float, float>>& rows, const SceneMetrics& m) {
  const bool has_values_too =
      has_values((gutter.bottom - gutter.top) / static_cast<float>(changes.size()), m);
  const float values = gutter.right - (has_values_too ? kValueCharacters * m.digit_width : 0);
  size_t named = kernel.toggles.size();
  float free_from = gutter.top;
  for (const auto& [change, place] : changes) {
    if (change.first >= kernel.toggles.size()) continue;
    const catalog::Toggle& toggle = kernel.toggles[change.first];
    const auto [top, bottom] = rows[place];
    const float middle = (top + bottom) / 2;
    if (std::exchange(named, change.first) != change.first && top >= free_from - 1) {
      map.labels.push_back(
          {{gutter.left, top, values - m.digit_width, top + m.small_height}, toggle.name, true});
      free_from = top + m.small_height;
    }
    if (has_values_too && change.second < toggle.values.size())
      map.labels.push_back({{values, middle - m.small_height / 2, gutter.right - m.digit_width / 2,
                             middle + m.small_height / 2},
                            toggle.label_of(toggle.values[change.second]),
                            false});
  }
}

}  // namespace

LatticeMap layout_lattice_map(const Lattice& lattice, const catalog::Kernel& kernel, Rect area,
                              const SceneMetrics& m) {
  LatticeMap map;
  const std::map<ChangeId, size_t> changes = changes_of(lattice);
  if (changes.empty()) return map;
  map.legend = area.cut_bottom(m.small_height + 6 * m.scale);
  map.legend.top += 4 * m.scale;
  const bool named = has_values(area.height() / static_cast<float>(changes.size()), m);
  const float characters = kToggleCharacters + (named ? kValueCharacters : 0);
  const Rect gutter = area.cut_left(std::min(area.width() / 3, characters * m.digit_width));
  map.plot = area;
  map.legend.left = area.left;
  const float gap = std::round(kToggleGap * m.scale);
  const auto columns = spans_of(changes, area.left, area.right, gap);
  const auto rows = spans_of(changes, area.top, area.bottom, gap);
  const double chosen = lattice.entries.front().milliseconds;
  const LatticeEntry* const best = experiment::best_entry(lattice);
  const auto add = [&](size_t index, size_t row, size_t column) {
    const LatticeEntry& entry = lattice.entries[index];
    LatticeMapCell cell;
    cell.rect = {columns[column].first, rows[row].first, columns[column].second, rows[row].second};
    cell.entry = index;
    cell.known = entry.has_time();
    cell.computed = entry.computed;
    cell.change = change_of(entry, chosen);
    cell.best = &entry == best;
    cell.single = row == column;
    map.cells.push_back(cell);
  };
  for (size_t i = 1; i < lattice.entries.size(); ++i) {
    const std::vector<ToggleChange>& of = lattice.entries[i].point.changes;
    const size_t first = changes.at(id_of(of.front())), last = changes.at(id_of(of.back()));
    add(i, first, last);
    if (first != last) add(i, last, first);
  }
  add_labels(map, changes, kernel, gutter, rows, m);
  return map;
}

const LatticeMapCell* lattice_cell_at(const LatticeMap& map, drawing::Point point) {
  const auto found =
      std::ranges::find_if(map.cells, [&](const LatticeMapCell& cell) { return cell.rect.contains(point); });
  return found == map.cells.end() ? nullptr : &*found;
}

}  // namespace gemmscope::scenes
