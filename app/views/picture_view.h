// The panel under the map: one of several pictures of the instruction at the cursor, chosen by tabs. By
// default it shows what the kernel's description names, else sectors at a global access and banks elsewhere.
#pragma once

#include "session/view_state.h"

namespace gemmscope::views {

// The picture that is shown now. A picture chosen for another kernel does not count.
catalog::Picture shown_picture(const session::ViewState& state);
void draw_picture_view(const session::ViewState& state, session::Requests& requests);

}  // namespace gemmscope::views
