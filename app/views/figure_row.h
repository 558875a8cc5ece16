// The line above the picture of one access: the access on the left, its figures on the right.
#pragma once

#include <span>
#include <string>

#include "drawing/canvas.h"
#include "scenes/access_heading.h"

namespace gemmscope::views {

struct Figure {
  std::string value, label;
  drawing::Role role = drawing::Role::text_strong;
  bool last_to_go = false;  // stays where there is room for one figure alone
};

// Draws `title` as code, with `remark` beside it where there is room, and the figures from left to right.
// `dim`: the access is not the current one.
void draw_figure_row(drawing::Canvas& canvas, drawing::Rect row, std::string_view title,
                     std::string_view remark, bool dim, std::span<const Figure> figures);
// With a title in words, which are translated as code is not.
void draw_worded_figure_row(drawing::Canvas& canvas, drawing::Rect row, std::string_view title,
                            std::string_view remark, std::span<const Figure> figures);
// Of one access: beside it its place, or that it is an earlier one.
void draw_figure_row(drawing::Canvas& canvas, drawing::Rect row, const scenes::AccessHeading& heading,
                     std::span<const Figure> figures);

}  // namespace gemmscope::views
