// The line above a picture of one access: which it is on the left, its figures on the right.
#pragma once

#include <span>
#include <string>

#include "drawing/canvas.h"
#include "scenes/access_heading.h"

namespace gemmscope::views {

struct Figure {
  std::string value, label;
  drawing::Role role = drawing::Role::text_strong;
};

// `title` in code, `remark` beside it where there is room; `dim`: it is not the current one. Figures from
// left to right.
void draw_figure_row(drawing::Canvas& canvas, drawing::Rect row, std::string_view title,
                     std::string_view remark, bool dim, std::span<const Figure> figures);
// Of one access: beside it its place, or that it is an earlier one.
void draw_figure_row(drawing::Canvas& canvas, drawing::Rect row, const scenes::AccessHeading& heading,
                     std::span<const Figure> figures);

}  // namespace gemmscope::views
