// What the last command did or why it was refused, where the transport, which has a place for it, is not
// shown.
#pragma once

#include <string_view>

#include "drawing/canvas.h"

namespace gemmscope::shell {

// At the right end of the row. A sentence that is longer than the row lies below it in as many lines as it
// needs, over what is there, and takes no input. (Dear ImGui)
void draw_note_line(drawing::Canvas& canvas, const drawing::Rect& row, std::string_view note,
                    drawing::FontRole font);

}  // namespace gemmscope::shell
