#include "session/pinned.h"

#include "scenes/code_diff.h"
#include "session/view_state.h"

namespace gemmscope::session {

std::string why_no_cycles(const ViewState& state) {
  if (state.pinned.side == nullptr) return "Nothing is pinned.";
  if (state.places == nullptr) return "B has no modelled timeline.";
  if (state.pinned.side->places == nullptr) return "A has no modelled timeline.";
  return "";
}

scenes::Pairing pairing_of(const ViewState& state) {
  const scenes::Pairing chosen = state.pinned.choice.pairing;
  return chosen == scenes::Pairing::cycle && !why_no_cycles(state).empty() ? scenes::Pairing::access : chosen;
}

bool source_differs(const ViewState& state) {
  return scenes::diff_source(*state.pinned.side->block, *state.block).differing > 0;
}

double pinned_cycle(const ViewState& state) {
  if (!why_no_cycles(state).empty()) return 0;
  return state.pipeline.cycle - scenes::timeline_shift(*state.model, state.pipeline.block,
                                                       state.pipeline.cycle, *state.pinned.side->model,
                                                       state.pipeline.align_at_pass);
}

}  // namespace gemmscope::session
