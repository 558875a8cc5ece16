// Texts of several fonts and colours, wrapped: English between words, Chinese between characters.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::scenes {

struct TextRun {
  drawing::Rect rect;
  std::string text;
  size_t part = 0;  // of the texts that were given
};
struct Paragraph {
  std::vector<TextRun> runs;
  float height = 0;
};

// Lays the parts out one after the other, in lines of `width` from (0, 0) down. A line break in a text begins
// a paragraph, half a line lower. `measure` gives the width of a text in the font of its part. A word wider
// than the line is broken, after an underscore where it has one.
Paragraph layout_paragraph(std::span<const std::string> parts, float width, float line_height,
                           const std::function<float(size_t part, std::string_view text)>& measure);

}  // namespace gemmscope::scenes
