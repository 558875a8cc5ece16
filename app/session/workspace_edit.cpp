// Changes of the machine code: the pass over the main loop, edits by hand, and the way back.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "experiment/changed_code.h"
#include "schedule/edit.h"
#include "session/code_state.h"
#include "session/workspace.h"

namespace gemmscope::session {

using experiment::CodeChanges;
using experiment::Experiment;

bool code_is_settled(const ViewState& state) {
  if (state.compiled == nullptr || state.failure) return false;
  if (state.block == nullptr || state.block->compiled != state.compiled) return false;
  return state.block->experiment.kernel == state.experiment.kernel &&
         state.block->experiment.toggles == state.experiment.toggles &&
         state.block->experiment.arch == state.experiment.arch &&
         state.block->experiment.changes == state.experiment.changes;
}

std::optional<uint32_t> edited_instruction(const ViewState& state) {
  if (!code_is_settled(state)) return std::nullopt;
  if (state.code.selected && *state.code.selected < state.compiled->instructions.size())
    return state.code.selected;
  if (is_tracing(state)) return state.record().instruction;
  return std::nullopt;
}

void Workspace::schedule_loop() {
  if (state_.experiment.changes.scheduled) return use_compilers_code();
  Experiment next = state_.experiment;
  next.changes = {};
  next.changes.scheduled = true;
  state_.code_edit.pins = true;
  state_.code_edit.refused.clear();
  set_experiment(std::move(next));
}

void Workspace::use_compilers_code() {
  Experiment next = state_.experiment;
  next.changes = {};
  state_.code_edit.refused.clear();
  // The original beside itself says nothing.
  if (state_.pinned.side != nullptr && state_.pinned.side->experiment == next) pin();
  set_experiment(std::move(next));
}

void Workspace::edit_code(schedule::EditKind kind, int value) {
  const std::optional<uint32_t> at = edited_instruction(state_);
  if (!at) return;
  pause();
  const schedule::Edit edit{kind, kind == schedule::EditKind::mend ? 0 : *at * isa::kInstructionBytes, value};
  const Result<uint32_t> place = experiment::place_after(*state_.compiled, edit);
  if (!place) {
    state_.code_edit.refused = place.error().message;
    state_.note = place.error().message;
    return;
  }
  Experiment next = state_.experiment;
  CodeChanges& changes = next.changes;
  if (changes.edits.size() >= experiment::kMostEdits) {
    state_.note = fmt::format("A list of edits has at most {}.", experiment::kMostEdits);
    return;
  }
  if (changes.edits.empty()) changes.edited = schedule::fingerprint(state_.compiled->instructions);
  changes.edits.push_back(edit);
  state_.code_edit.selects = kind == schedule::EditKind::mend ? *at : *place;
  state_.code_edit.refused.clear();
  state_.code_edit.open = true;
  set_experiment(std::move(next));
}

// Where the changes cannot be made nothing is changed: the experiment is again the one that is shown.
bool Workspace::take_refused_code(const experiment::CompiledKernel& compiled) {
  if (compiled.changed == nullptr || compiled.changed->refused.empty()) return false;
  Experiment kept = state_.experiment;
  kept.changes = {};
  if (state_.block != nullptr && state_.compiled == state_.block->compiled) {
    Experiment shown = state_.block->experiment;
    shown.block = kept.block;
    const CodeChanges changes = std::exchange(shown.changes, {});
    if (shown == kept && !(changes == state_.experiment.changes)) kept.changes = changes;
  }
  const std::string why = compiled.changed->refused;
  // The refused step leaves no trace in the history, where it came from the experiment that stays.
  if (!history_.can_undo() || !(history_.undo() == kept)) history_.redo();
  history_.replace(std::move(kept));
  submit(false);
  state_.code_edit.pins = false;
  state_.code_edit.selects.reset();
  state_.code_edit.refused = why;
  state_.note = late_note_ = why;
  return true;
}

// The edited instruction stays selected, or the selected one where an edit was taken back.
void Workspace::select_after_change(const experiment::CompiledKernel& next) {
  std::optional<uint32_t>& selected = state_.code.selected;
  if (state_.code_edit.selects) {
    selected = std::exchange(state_.code_edit.selects, std::nullopt);
    ++state_.code.reveals;
  } else if (selected && state_.compiled != nullptr && *selected < state_.compiled->instructions.size()) {
    selected = experiment::place_in(next, *state_.compiled, *selected);
  } else {
    selected.reset();
  }
}

// The scheduled code is there and the block is still the original's: that is pinned, in place of what was.
void Workspace::pin_original() {
  if (!std::exchange(state_.code_edit.pins, false) || !state_.has_trace()) return;
  Experiment original = state_.experiment;
  original.changes = {};
  if (state_.block->experiment != original) return;
  if (state_.pinned.side != nullptr) pin();  // unpins
  pin();
}

}  // namespace gemmscope::session
