#include "shell/note_line.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/session.h"
#include "drawing/theme.h"
#include "drawing/widgets.h"
#include "shell/overlay.h"

namespace gemmscope::shell {
namespace {

using drawing::FontRole, drawing::Rect, drawing::Role, drawing::px;

Rect on_screen(const drawing::Canvas& canvas, const Rect& row) {
  const Rect screen = canvas.screen_area();
  return Rect::at({screen.left + row.left, screen.top + row.top}, row.size());
}

void draw_below(const Rect& row, std::string_view note, FontRole font) {
  const float padding = px(8);
  // A little more than the letters, so that rounding breaks no line.
  const float width = std::min(std::ceil(drawing::text_width(font, note)) + px(2),
                               std::max(row.width(), ImGui::GetIO().DisplaySize.x * 0.45f)),
              height = drawing::text_wrapped_height(note, font, width);
  const drawing::Size size{width + 2 * padding, height + 2 * padding};
  const Rect place = Rect::at({std::max(0.0f, row.right - size.width), row.bottom}, size);
  begin_overlay("##note", place);
  drawing::Canvas canvas(place);
  canvas.text_wrapped(canvas.area().inset(padding), note, drawing::color(Role::warning), font);
  end_overlay();
}

}  // namespace

void draw_note_line(drawing::Canvas& canvas, const Rect& row, std::string_view note, FontRole font) {
  if (canvas.text_width(note, font) > row.width()) return draw_below(on_screen(canvas, row), note, font);
  canvas.text(row, note, drawing::color(Role::warning),
              {font, drawing::AlignX::right, drawing::AlignY::center});
}

}  // namespace gemmscope::shell
