#include "experiment/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiment/recorded_time.h"
#include "sm/bound.h"

namespace gemmscope::experiment {
namespace {

using Toggles = std::map<std::string, int64_t>;

constexpr const char* kColumnNames[kLatticeColumns] = {"change",    "time",   "registers", "blocks",
                                                       "occupancy", "excess", "timed"};

void set_toggle(Toggles& toggles, const catalog::Toggle& toggle, int64_t value) {
  if (value == toggle.default_value)
    toggles.erase(toggle.name);
  else
    toggles[toggle.name] = value;
}

LatticePoint point_of(const catalog::Kernel& kernel, Toggles toggles, std::vector<ToggleChange> changes) {
  LatticePoint point;
  for (const ToggleChange& change : changes) {
    const catalog::Toggle& toggle = kernel.toggles[change.toggle];
    const int64_t value = toggle.values[change.value];
    set_toggle(toggles, toggle, value);
    point.name += fmt::format("{}{}={}", point.name.empty() ? "" : ", ", toggle.name, value);
  }
  if (point.name.empty()) point.name = "as chosen";
  point.changes = std::move(changes);
  point.toggles = std::move(toggles);
  return point;
}

// Every other value of every toggle that varies.
std::vector<ToggleChange> single_changes(const catalog::Kernel& kernel, const Toggles& toggles,
                                         const std::vector<std::string>& vary) {
  std::vector<ToggleChange> changes;
  for (size_t t = 0; t < kernel.toggles.size(); ++t) {
    const catalog::Toggle& toggle = kernel.toggles[t];
    if (!vary.empty() && std::ranges::find(vary, toggle.name) == vary.end()) continue;
    const auto set = toggles.find(toggle.name);
    const int64_t chosen = set == toggles.end() ? toggle.default_value : set->second;
    for (size_t v = 0; v < toggle.values.size(); ++v)
      if (toggle.values[v] != chosen) changes.push_back({t, v});
  }
  return changes;
}

class Planner {
 public:
  Planner(const catalog::Kernel& kernel, const Experiment& experiment)
      : kernel_(kernel),
        experiment_(experiment),
        toggles_(changed_toggles(kernel, experiment.toggles)),
        lattice_{.kernel = kernel.id, .problem = experiment.problem} {
    lattice_.entries.push_back({.point = point_of(kernel, toggles_, {})});
  }
  bool add(std::vector<ToggleChange> changes) {
    LatticePoint point = point_of(kernel_, toggles_, std::move(changes));
    const auto launch =
        catalog::launches_for(kernel_, experiment_.problem, point.toggles, isa::sm_number(experiment_.arch));
    if (launch) return lattice_.entries.push_back({.point = std::move(point)}), true;
    const auto known = std::ranges::find(lattice_.left_out, launch.error().message, &LeftOut::why);
    if (known == lattice_.left_out.end())
      lattice_.left_out.push_back({launch.error().message, 1});
    else
      ++known->points;
    return false;
  }
  Lattice& lattice() { return lattice_; }
  const Toggles& toggles() const { return toggles_; }

 private:
  const catalog::Kernel& kernel_;
  const Experiment& experiment_;
  Toggles toggles_;
  Lattice lattice_;
};

// A missing value sorts last in either direction.
double sort_value(const LatticeEntry& entry, LatticeColumn column) {
  constexpr double kNone = -1;
  if (column == LatticeColumn::timed) return entry.timed_ms > 0 ? entry.timed_ms : kNone;
  if (!entry.has_time()) return kNone;
  switch (column) {
    case LatticeColumn::time:
      return entry.milliseconds;
    case LatticeColumn::registers:
      return entry.registers;
    case LatticeColumn::blocks:
      return entry.blocks_per_sm;
    case LatticeColumn::occupancy:
      return entry.occupancy;
    case LatticeColumn::excess:
      return entry.excess_wavefronts;
    default:
      return 0;
  }
}

std::string grouped(size_t count) {
  std::string digits = std::to_string(count);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

}  // namespace

size_t Lattice::computed() const {
  return static_cast<size_t>(std::ranges::count_if(entries, &LatticeEntry::computed));
}

size_t Lattice::left_out_points() const {
  size_t points = 0;
  for (const LeftOut& left : left_out) points += left.points;
  return points;
}

Lattice plan_lattice(const catalog::Kernel& kernel, const Experiment& experiment,
                     const std::vector<std::string>& vary, bool with_pairs) {
  Planner planner(kernel, experiment);
  Lattice& lattice = planner.lattice();
  const std::vector<ToggleChange> changes = single_changes(kernel, planner.toggles(), vary);
  for (const ToggleChange& change : changes) lattice.singles += planner.add({change}) ? 1 : 0;
  for (size_t a = 0; with_pairs && a < changes.size(); ++a)
    for (size_t b = a + 1; b < changes.size(); ++b)
      if (changes[a].toggle != changes[b].toggle)
        lattice.pairs += planner.add({changes[a], changes[b]}) ? 1 : 0;
  std::ranges::stable_sort(lattice.left_out, std::greater<>(), &LeftOut::points);
  return std::move(lattice);
}

std::vector<size_t> pairs_by_promise(const Lattice& lattice) {
  const double chosen = lattice.entries.front().milliseconds;
  const auto ratio_of = [&](const ToggleChange& change) {
    for (size_t i = 1; i <= lattice.singles; ++i) {
      const LatticeEntry& single = lattice.entries[i];
      if (single.point.changes.front() == change && single.has_time() && chosen > 0)
        return single.milliseconds / chosen;
    }
    return 1.0;
  };
  std::vector<std::pair<double, size_t>> pairs;
  for (size_t i = 1 + lattice.singles; i < lattice.entries.size(); ++i) {
    const auto& changes = lattice.entries[i].point.changes;
    pairs.emplace_back(ratio_of(changes[0]) * ratio_of(changes[1]), i);
  }
  std::ranges::sort(pairs);
  std::vector<size_t> order;
  for (const auto& [promise, index] : pairs) order.push_back(index);
  return order;
}

const char* column_name(LatticeColumn column) { return kColumnNames[static_cast<size_t>(column)]; }

std::optional<LatticeColumn> column_of(const std::string& name) {
  for (int i = 0; i < kLatticeColumns; ++i)
    if (name == kColumnNames[i]) return static_cast<LatticeColumn>(i);
  return std::nullopt;
}

std::vector<size_t> sorted_entries(const Lattice& lattice, const LatticeOrder& order) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < lattice.entries.size(); ++i)
    if (lattice.entries[i].computed && !(order.singles_only && lattice.entries[i].point.changes.size() > 1))
      indices.push_back(i);
  std::ranges::stable_sort(indices, [&](size_t a, size_t b) {
    const double x = sort_value(lattice.entries[a], order.column),
                 y = sort_value(lattice.entries[b], order.column);
    if (x < 0 || y < 0) return y < 0 && x >= 0;
    return order.descending ? x > y : x < y;
  });
  if (order.column == LatticeColumn::change && order.descending) std::ranges::reverse(indices);
  return indices;
}

const LatticeEntry* best_entry(const Lattice& lattice) {
  const LatticeEntry* best = nullptr;
  for (const LatticeEntry& entry : lattice.entries)
    if (entry.has_time() && (best == nullptr || entry.milliseconds < best->milliseconds)) best = &entry;
  return best;
}

std::string best_sentence(const Lattice& lattice) {
  const LatticeEntry* best = best_entry(lattice);
  if (best == nullptr) return {};
  const LatticeEntry& chosen = lattice.entries.front();
  const std::string head = fmt::format("Best of {}: ", grouped(lattice.computed()));
  if (best == &chosen) return head + "the variant as chosen.";
  if (chosen.figures == nullptr)
    return head + fmt::format("{}, {:.4g} ms modelled.", best->point.name, best->milliseconds);
  return head + sm::explain_difference(best->point.name, *chosen.figures, *best->figures);
}

std::string coverage_sentence(const Lattice& lattice) {
  std::string text = fmt::format("{} of {} points in {:.0f} s", grouped(lattice.computed()),
                                 grouped(lattice.entries.size()), lattice.seconds);
  if (lattice.out_of_time) text += "; time is up, the rest is not computed";
  if (const size_t left = lattice.left_out_points(); left > 0)
    text += fmt::format("; {} more {} legal", grouped(left), left == 1 ? "is not" : "are not");
  return text + ".";
}

void add_times(Lattice& lattice, const Timings& timings) {
  const catalog::Problem &a = lattice.problem, &b = timings.problem;
  if (timings.provenance == Provenance::modelled || timings.device.name != lattice.device ||
      timings.l2_flushed || a.m != b.m || a.n != b.n || a.k != b.k || a.beta != b.beta)
    return;
  std::map<Toggles, const TimedVariant*> known;
  for (const TimedVariant& variant : timings.variants)
    if (variant.id == lattice.kernel && !variant.samples.empty()) known.emplace(variant.toggles, &variant);
  if (known.empty()) return;
  for (LatticeEntry& entry : lattice.entries) {
    const auto found = known.find(entry.point.toggles);
    if (entry.timed_ms > 0 || found == known.end()) continue;
    entry.timed_ms = median_ms(*found->second);
    entry.timed = timings.provenance;
  }
}

}  // namespace gemmscope::experiment
