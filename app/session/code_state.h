// State that the code view and its commands both read.
#pragma once

#include "scenes/code_marks.h"
#include "session/view_state.h"

namespace gemmscope::session {

scenes::CountSource code_counts_of(const ViewState& state);
// Those counts with the columns of the model; nothing while nothing was executed.
std::optional<scenes::CodeCounts> counted_code(const ViewState& state);
std::vector<scenes::CodeMark> code_marks_of(const ViewState& state);

// The first execution of the instruction in the traced block: by the followed warp, else by any warp.
std::optional<size_t> first_execution(const ViewState& state, uint32_t instruction);

// Whether the trace belongs to the machine code that is shown.
inline bool is_tracing(const ViewState& state) {
  return state.has_trace() && state.block->compiled == state.compiled;
}

}  // namespace gemmscope::session
