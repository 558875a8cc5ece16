#include "views/lesson_cover.h"

#include "drawing/canvas.h"
#include "drawing/session.h"

namespace gemmscope::views {

void draw_lesson_cover() {
  drawing::Canvas canvas("cover");
  const drawing::Rect area = canvas.area();
  const float line = canvas.line_height(drawing::FontRole::title);
  if (area.height() < 2.5f * line)
    return (void)canvas.text(area, "Hidden until you answer", drawing::color(drawing::Role::text_dim),
                             {drawing::FontRole::small, drawing::AlignX::center});
  drawing::Rect middle{0, area.center().y - line, area.right, area.center().y + line};
  canvas.hatch(area, drawing::color(drawing::Role::grid), 14);
  const float wide = canvas.text_width("Answer the question, and this opens.") + drawing::px(40);
  canvas.fill_round_rect({area.center().x - wide / 2, middle.top - drawing::px(10),
                          area.center().x + wide / 2, middle.bottom + drawing::px(10)},
                         drawing::color(drawing::Role::panel), drawing::px(8));
  canvas.text(middle.cut_top(line), "Predict first", drawing::color(drawing::Role::text_strong),
              {drawing::FontRole::title, drawing::AlignX::center});
  canvas.text(middle, "Answer the question, and this opens.", drawing::color(drawing::Role::text_dim),
              {drawing::FontRole::body, drawing::AlignX::center});
}

}  // namespace gemmscope::views
