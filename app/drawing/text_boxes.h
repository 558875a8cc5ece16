// Reads a drawn frame back: which letters stand where, and what cuts them off. It sees every text of the
// frame, whoever drew it, because it reads the triangles that go to the graphics driver.
#pragma once

#include <string>
#include <vector>

#include "drawing/fonts.h"
#include "drawing/geometry.h"

struct ImDrawData;

namespace gemmscope::drawing {

// Letters that stand in one line without a gap wider than some spaces, in one font.
struct TextBox {
  std::string text;  // UTF-8
  Rect ink;          // around the letters' pixels
  Rect clip;         // what is drawn of it
  FontRole font = FontRole::body;
  float em_pixels = 0;  // the size of the letters
  int layer = 0;        // windows lie over each other: the number of the one that it is in

  bool cut_beside() const;  // on the left or the right
  bool cut_above_below() const;
};

std::vector<TextBox> read_text_boxes(const ImDrawData& frame);

// Called at the end of each frame. Null: no listener.
using TextBoxListener = void (*)(const std::vector<TextBox>& boxes);
void listen_to_text_boxes(TextBoxListener listener);
// For Session.
void tell_text_boxes(const ImDrawData& frame);

}  // namespace gemmscope::drawing
