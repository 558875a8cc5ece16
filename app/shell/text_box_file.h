// Lets a test read what a window shows: with GEMMSCOPE_TEXT_BOXES=FILE in the environment, the file has the
// texts of the newest frame (drawing/text_boxes.h), a line each: the size of the letters, the layer, the box,
// what cuts it, and the text.
#pragma once

namespace gemmscope::shell {

void write_text_boxes_if_asked();

}  // namespace gemmscope::shell
