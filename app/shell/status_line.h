// The line that says what is computed. (Dear ImGui)
#pragma once

#include <string>

#include "drawing/canvas.h"
#include "experiment/worker.h"
#include "session/command_table.h"
#include "session/workspace.h"

namespace gemmscope::shell {

// "executing the whole grid… 43 %"
std::string progress_text(const experiment::Progress& progress);
// The same, or that the figures of a lesson's page are computed; empty: there is nothing to wait for.
std::string progress_text(const session::Workspace& workspace);

inline constexpr const char* kCancelCommand = "experiment.cancel";
// While something is computed, a click on the line that says so ends it: true when it was clicked.
bool cancel_by_click(const drawing::Canvas& canvas, const session::Workspace& workspace,
                     const session::CommandTable& commands);

}  // namespace gemmscope::shell
