// The strip over the pictures that explains a kernel: why it should help, what to look at, the steps before
// and after it, and the button that shows it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "drawing/geometry.h"

namespace gemmscope::scenes {

struct LessonTexts {
  std::string why, look_at;
  std::string previous, next;              // "← 08", or "" at the ends of the catalogue
  std::string previous_title, next_title;  // for the tooltips
  std::string place;                       // "step 9 of 15", "lab 1 of 7"
  bool has_show_me = false;
  bool empty() const { return why.empty() && look_at.empty(); }
};
LessonTexts lesson_texts(const catalog::Catalog& catalog, const catalog::Kernel& kernel);

// Widths of texts, in pixels, and heights of lines.
struct LessonMetrics {
  float scale = 1;
  std::function<float(std::string_view)> body, small;
  float body_height = 18, small_height = 15;
  // Where body text needs more lines than these, the text is small.
  int most_lines = 2, most_small_lines = 4;
};

struct LessonPart {
  std::string heading, text;
  drawing::Rect heading_rect, text_rect;
  bool whole = true;  // false: the text is cut
};
struct LessonStrip {
  bool small = false;  // the font of the texts
  std::vector<LessonPart> parts;
  drawing::Rect previous, show_me, next, place;
};
// The height that a strip of this width needs.
float lesson_strip_height(const LessonTexts& texts, float width, const LessonMetrics& metrics);
LessonStrip layout_lesson_strip(const LessonTexts& texts, drawing::Rect area, const LessonMetrics& metrics);

// Lines that the text takes when it is wrapped at spaces.
int wrapped_lines(std::string_view text, float width, const std::function<float(std::string_view)>& measure);

}  // namespace gemmscope::scenes
