#include "experiment/code_changes.h"

#include <fmt/format.h>

namespace gemmscope::experiment {

std::string changes_text(const CodeChanges& changes) {
  const size_t edits = changes.edits.size();
  if (edits == 0) return changes.scheduled ? "scheduled machine code" : "";
  if (edits == 1)
    return changes.scheduled ? "scheduled machine code with 1 edit by hand"
                             : "machine code with 1 edit by hand";
  return changes.scheduled ? fmt::format("scheduled machine code with {} edits by hand", edits)
                           : fmt::format("machine code with {} edits by hand", edits);
}

std::string changes_key(const CodeChanges& changes) {
  std::string key = changes.scheduled ? "scheduled" : "";
  for (const schedule::Edit& edit : changes.edits) key += "; " + schedule::edit_text(edit);
  return key + changes.edited;
}

}  // namespace gemmscope::experiment
