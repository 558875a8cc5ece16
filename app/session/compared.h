// The comparison of the pinned experiment with the live one.
#pragma once

#include "scenes/comparison.h"
#include "session/view_state.h"

namespace gemmscope::session {

// The results of a side as far as they belong to its block; `timings` has what was measured and recorded.
scenes::ComparedSide compared_side(const ViewState& side, const TimingState& timings);
// A: the pinned one; B: the live one. state.compares() holds.
scenes::Comparison compare_pinned(const ViewState& state);

}  // namespace gemmscope::session
