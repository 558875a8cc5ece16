// The head of the panel on the right: its tabs, and words to click at the other end.
#pragma once

#include <string_view>

#include "drawing/canvas.h"
#include "session/view_state.h"

namespace gemmscope::views {

// "Code | Timings | Lattice", as high as a heading and as wide as the panel.
void draw_tabs(const session::ViewState& state, session::Requests& requests);
float tabs_width(const drawing::Canvas& canvas);

float word_button_width(const drawing::Canvas& canvas, std::string_view text);  // with the gap beside it
// Draws a word to click at the right end of `row`, takes its width off `row`, and returns true when it was
// clicked.
bool word_button(drawing::Canvas& canvas, drawing::Rect& row, std::string_view text, drawing::Color ink,
                 bool on, std::string_view tooltip, std::string_view key = {});

}  // namespace gemmscope::views
