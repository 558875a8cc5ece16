// What presenter mode draws over everything: the last key, the pointer's spotlight, the black screen.
#pragma once

#include "session/present_state.h"

namespace gemmscope::shell {

// What the last key takes of the right end of the title's row while it is shown.
float last_key_width(const session::PresentState& present);
// Call it once a frame, after all else.
void draw_over_everything(const session::PresentState& present);
// In place of all else. A click shows everything again.
void draw_black_screen(session::PresentState& present);

}  // namespace gemmscope::shell
