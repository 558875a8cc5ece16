// The form of the launch of a user's kernel: entry, template arguments, block, grid, shared memory and
// parameters, each with a place for what is wrong with it. (Dear ImGui)
#pragma once

#include "drawing/geometry.h"
#include "own_kernel/launch_form.h"
#include "session/view_state.h"

namespace gemmscope::views {

// The size that shows the whole form: the width in points, the height in pixels. It depends on the kernel
// alone, not on what is typed.
drawing::Size launch_form_size(const own_kernel::LaunchForm& form);

// Draws state.form into the current window. `dismiss` and `enter`: the user closes the form, or uses it, by a
// key or beside it.
void draw_launch_form(const session::ViewState& state, session::Requests& requests, bool dismiss, bool enter);

}  // namespace gemmscope::views
