// A raised panel over everything, which takes no input. (Dear ImGui)
#pragma once

#include "drawing/geometry.h"

namespace gemmscope::shell {

// Begins the window; end_overlay ends it. `place` is in pixels of the screen.
void begin_overlay(const char* id, const drawing::Rect& place, float opacity = 1);
void end_overlay();

}  // namespace gemmscope::shell
