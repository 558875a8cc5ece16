// The toggles of a kernel as the panel lists them: in groups, each value with its name, whether it can be
// chosen and why not. A pure function makes the list; the view draws it and keys move through it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "experiment/code_offer.h"
#include "experiment/experiment.h"

namespace gemmscope::experiment {

struct ToggleRow {
  std::string name, title, help;
  std::vector<int64_t> values;
  std::vector<std::string> labels;   // by value
  std::vector<std::string> why_not;  // by value: why it cannot be chosen; empty: it can
  size_t chosen = 0;
  size_t default_index = 0;
  bool on_off = false;  // the values are 0 and 1 and have no names: drawn as a switch

  bool changed() const { return chosen != default_index; }
};

struct ToggleGroup {
  std::string title;  // empty: the toggles without a group
  std::vector<ToggleRow> rows;

  int changed_count() const;
};

// Groups are in the order in which their first toggles appear in the description. With an offer, a value
// whose machine code it does not have cannot be chosen; one of another kernel is ignored.
std::vector<ToggleGroup> toggle_list(const catalog::Kernel& kernel, const Experiment& experiment,
                                     const CodeOffer* offer = nullptr);

// Sets one toggle of the experiment; a default value is removed from the map. The traced block stays the same
// if the new grid has it; else it becomes the first.
Experiment with_toggle(const catalog::Kernel& kernel, Experiment experiment, const ToggleRow& row,
                       size_t index);

// The index of the next (previous) value that can be chosen, wrapping around at the ends; the chosen one if
// there is no other.
size_t next_choice(const ToggleRow& row, bool forward);

// The toggle after (before) the one called `name`, wrapping around at the ends. An unknown name gives the
// first (last) toggle; null if there are none.
const ToggleRow* neighbour(const std::vector<ToggleGroup>& groups, const std::string& name, bool forward);
const ToggleRow* find_toggle(const std::vector<ToggleGroup>& groups, const std::string& name);

}  // namespace gemmscope::experiment
