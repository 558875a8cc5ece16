// What the commands of an open page wait for: some for its figures, most for the results of its experiment.
#pragma once

#include <string_view>

#include "session/lesson_state.h"

namespace gemmscope::session {

// The command is run once the page's figures are there, so that nobody has to give the answer twice.
void run_with_figures(LessonState& state, const char* command);
bool needs_figures(std::string_view command);
bool waits_for_figures(const LessonState& state);
void stop_waiting(LessonState& state);  // takes those commands back

// Switches a view and reads no result, so that it need not wait for the whole grid.
bool needs_no_results(std::string_view command);

}  // namespace gemmscope::session
