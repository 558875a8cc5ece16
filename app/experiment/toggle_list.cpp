#include "experiment/toggle_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace gemmscope::experiment {
namespace {

// A description need not have rules about shared memory: a value whose tiles do not fit a block is no choice.
void ask_architecture(ToggleRow& row, const catalog::Kernel& kernel, const Experiment& experiment) {
  const uint32_t most = isa::most_shared_bytes(experiment.arch);
  for (size_t i = 0; i < row.values.size(); ++i) {
    if (i == row.chosen || !row.why_not[i].empty()) continue;
    auto toggles = experiment.toggles;
    toggles[row.name] = row.values[i];
    const auto launch =
        catalog::launch_for(kernel, experiment.problem, toggles, isa::sm_number(experiment.arch));
    if (launch && launch->dynamic_shared_bytes > most)
      row.why_not[i] =
          fmt::format("A block would need {:.1f} KB of shared memory; {} has at most {} KB.",
                      launch->dynamic_shared_bytes / 1024.0, isa::arch_name(experiment.arch), most / 1024);
  }
}

// Legal values get the offer's reason where it does not have them. The chosen one stays: it is there already.
void ask_offer(ToggleRow& row, const Experiment& experiment, const CodeOffer& offer) {
  for (size_t i = 0; i < row.values.size(); ++i) {
    if (i == row.chosen || !row.why_not[i].empty()) continue;
    auto toggles = experiment.toggles;
    toggles[row.name] = row.values[i];
    row.why_not[i] = offer.why_not(experiment.arch, toggles);
  }
}

ToggleRow row_of(const catalog::Toggle& toggle, int64_t value,
                 const std::vector<catalog::ToggleChoice>& choices) {
  ToggleRow row;
  row.name = toggle.name;
  row.title = toggle.title;
  row.help = toggle.help;
  row.values = toggle.values;
  for (size_t i = 0; i < toggle.values.size(); ++i) {
    row.labels.push_back(toggle.label_of(toggle.values[i]));
    row.why_not.push_back(choices[i].why_not);
    if (toggle.values[i] == value) row.chosen = i;
    if (toggle.values[i] == toggle.default_value) row.default_index = i;
  }
  row.on_off = toggle.values == std::vector<int64_t>{0, 1} && toggle.labels.empty();
  return row;
}

std::vector<const ToggleRow*> all_rows(const std::vector<ToggleGroup>& groups) {
  std::vector<const ToggleRow*> rows;
  for (const ToggleGroup& group : groups)
    for (const ToggleRow& row : group.rows) rows.push_back(&row);
  return rows;
}

}  // namespace

int ToggleGroup::changed_count() const {
  return static_cast<int>(std::ranges::count_if(rows, [](const ToggleRow& row) { return row.changed(); }));
}

std::vector<ToggleGroup> toggle_list(const catalog::Kernel& kernel, const Experiment& experiment,
                                     const CodeOffer* offer) {
  const bool asks = offer != nullptr && offer->is_of(kernel, experiment);
  std::vector<ToggleGroup> groups;
  const auto choices = catalog::toggle_choices(kernel, experiment.problem, experiment.toggles,
                                               isa::sm_number(experiment.arch));
  for (size_t i = 0; i < kernel.toggles.size(); ++i) {
    const catalog::Toggle& toggle = kernel.toggles[i];
    const auto set = experiment.toggles.find(toggle.name);
    const int64_t value = set == experiment.toggles.end() ? toggle.default_value : set->second;
    auto group = std::ranges::find(groups, toggle.group, &ToggleGroup::title);
    if (group == groups.end()) group = groups.insert(groups.end(), {toggle.group, {}});
    group->rows.push_back(row_of(toggle, value, choices[i]));
    ask_architecture(group->rows.back(), kernel, experiment);
    if (asks) ask_offer(group->rows.back(), experiment, *offer);
  }
  return groups;
}

Experiment with_toggle(const catalog::Kernel& kernel, Experiment experiment, const ToggleRow& row,
                       size_t index) {
  experiment.toggles[row.name] = row.values[index];
  if (index == row.default_index) experiment.toggles.erase(row.name);
  const auto launch =
      catalog::launch_for(kernel, experiment.problem, experiment.toggles, isa::sm_number(experiment.arch));
  for (size_t axis = 0; launch && axis < 3; ++axis)
    if (experiment.block[axis] >= launch->grid[axis]) experiment.block = {0, 0, 0};
  return experiment;
}

size_t next_choice(const ToggleRow& row, bool forward) {
  const size_t count = row.values.size();
  for (size_t step = 1; step < count; ++step) {
    const size_t index = (row.chosen + (forward ? step : count - step)) % count;
    if (row.why_not[index].empty()) return index;
  }
  return row.chosen;
}

const ToggleRow* neighbour(const std::vector<ToggleGroup>& groups, const std::string& name, bool forward) {
  const std::vector<const ToggleRow*> rows = all_rows(groups);
  if (rows.empty()) return nullptr;
  const auto at = std::ranges::find_if(rows, [&](const ToggleRow* row) { return row->name == name; });
  if (at == rows.end()) return forward ? rows.front() : rows.back();
  const auto index = static_cast<size_t>(at - rows.begin());
  return rows[(index + (forward ? 1 : rows.size() - 1)) % rows.size()];
}

const ToggleRow* find_toggle(const std::vector<ToggleGroup>& groups, const std::string& name) {
  for (const ToggleRow* row : all_rows(groups))
    if (row->name == name) return row;
  return nullptr;
}

}  // namespace gemmscope::experiment
