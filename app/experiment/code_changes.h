// What the user asks to be changed in the machine code of the shown launch after the compiler: the pass over
// its main loop, then edits by hand. It is part of an experiment, so undo, scenes and comparisons hold it.
#pragma once

#include <string>
#include <vector>

#include "schedule/edit.h"

namespace gemmscope::experiment {

struct CodeChanges {
  bool scheduled = false;               // the pass of schedule/schedule.h
  std::vector<schedule::Edit> edits{};  // made after it, in this order
  std::string edited{};  // schedule::fingerprint of the code that the first edit was made on; empty: no edits
  bool any() const { return scheduled || !edits.empty(); }
  friend bool operator==(const CodeChanges&, const CodeChanges&) = default;
};

inline constexpr size_t kMostEdits = 2000;

// "scheduled machine code", "machine code with 2 edits by hand", "scheduled machine code with 1 edit by
// hand"; empty: the compiler's.
std::string changes_text(const CodeChanges& changes);
// All of it in one text, equal for equal changes: a part of keys.
std::string changes_key(const CodeChanges& changes);

}  // namespace gemmscope::experiment
