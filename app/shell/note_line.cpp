#include "shell/note_line.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/session.h"
#include "drawing/theme.h"
#include "drawing/widgets.h"

namespace gemmscope::shell {
namespace {

using drawing::FontRole, drawing::Rect, drawing::Role, drawing::px;

Rect on_screen(const drawing::Canvas& canvas, const Rect& row) {
  const Rect screen = canvas.screen_area();
  return Rect::at({screen.left + row.left, screen.top + row.top}, row.size());
}

void draw_below(const Rect& row, std::string_view note, FontRole font) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float padding = px(8);
  // A little more than the letters, so that rounding breaks no line.
  const float width = std::min(std::ceil(drawing::text_width(font, std::string(note))) + px(2),
                               std::max(row.width(), display.x * 0.45f)),
              height = std::ceil(drawing::wrapped_height(note, font, width) * drawing::kWrappedLine);
  ImGui::SetNextWindowPos({std::max(0.0f, row.right - width - 2 * padding), row.bottom});
  ImGui::SetNextWindowSize({width + 2 * padding, height + 2 * padding});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, drawing::packed(drawing::color(Role::panel_raised)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ImGui::GetStyle().PopupBorderSize);
  ImGui::Begin("##note", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  const ImVec2 corner = ImGui::GetWindowPos();
  drawing::Canvas canvas(Rect::at({corner.x, corner.y}, {width + 2 * padding, height + 2 * padding}));
  canvas.text_wrapped(canvas.area().inset(padding), note, drawing::color(Role::warning), font);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace

void draw_note_line(drawing::Canvas& canvas, const Rect& row, std::string_view note, FontRole font) {
  if (canvas.text_width(note, font) > row.width()) return draw_below(on_screen(canvas, row), note, font);
  canvas.text(row, note, drawing::color(Role::warning),
              {font, drawing::AlignX::right, drawing::AlignY::center});
}

}  // namespace gemmscope::shell
