// The toggles of a kernel as the panel lists them: in groups, each value with its name, whether it can be
// chosen and why not. Pure, like all scenes: the view draws it, keys walk through it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "experiment/experiment.h"

namespace gemmscope::experiment {

struct ToggleRow {
  std::string name, title, help;
  std::vector<int64_t> values;
  std::vector<std::string> labels;   // of the values
  std::vector<std::string> why_not;  // of the values; empty: it can be chosen
  size_t chosen = 0;
  size_t default_index = 0;
  bool on_off = false;  // 0 and 1 and no names for them: a switch

  bool changed() const { return chosen != default_index; }
};

struct ToggleGroup {
  std::string title;  // empty: none
  std::vector<ToggleRow> rows;

  int changed_count() const;
};

// In the order in which each group's first toggle stands in the description.
std::vector<ToggleGroup> toggle_list(const catalog::Kernel& kernel, const Experiment& experiment);

// The experiment with one toggle set; a default value is not kept in the map. The block that is traced stays
// where the grid still has it.
Experiment with_toggle(const catalog::Kernel& kernel, Experiment experiment, const ToggleRow& row,
                       size_t index);

// The next (previous) value that can be chosen, around at the ends; the chosen one if there is no other.
size_t next_choice(const ToggleRow& row, bool forward);

// The toggle after (before) the one called `name`, around at the ends; null if there are none. An unknown
// name: the first (last).
const ToggleRow* neighbour(const std::vector<ToggleGroup>& groups, const std::string& name, bool forward);
const ToggleRow* find_toggle(const std::vector<ToggleGroup>& groups, const std::string& name);

}  // namespace gemmscope::experiment
