#include "views/number_strip_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "drawing/canvas.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/number_strip_scene.h"
#include "session/number_state.h"
#include "views/command_hint.h"
#include "views/flash_mark.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

constexpr FontRole kValueFont = FontRole::mono;

scenes::NumberStripMetrics metrics_of(const Canvas& canvas) {
  return {scene_metrics(canvas), canvas.text_width("0", kValueFont), canvas.line_height(kValueFont)};
}

constexpr float kBeside = 12;  // points of the panel's width that the numbers leave

void draw_cell(Canvas& canvas, const scenes::NumberCell& cell) {
  // The factor is narrower than its characters are counted.
  Rect label = cell.label_rect;
  if (!cell.factor.empty())
    label.right = std::max(
        label.right, cell.factor_rect.right - canvas.px(2) - canvas.text_width(cell.factor, FontRole::small));
  canvas.text(label, cell.label, color(Role::text_dim), {FontRole::small, AlignX::left});
  canvas.text(cell.factor_rect.inset(-canvas.px(1), 0), cell.factor, color(cell.factor_role),
              {FontRole::small, AlignX::right});
  Rect values = cell.value_rect;
  if (!cell.before.empty())
    // A fraction more than its width, which a sum of fractions may fall short of.
    canvas.text(values.cut_left(std::ceil(canvas.text_width(cell.before, kValueFont) + 0.5f)), cell.before,
                color(Role::text_dim), {kValueFont, AlignX::left});
  canvas.text(values, cell.value, drawing::word_color(cell.value_role), {kValueFont, AlignX::left});
  if (cell.beside.empty()) return;
  values.cut_left(canvas.text_width(cell.value, kValueFont) + 2 * canvas.text_width("0", kValueFont));
  canvas.text(values, cell.beside, drawing::word_color(Role::modelled),
              {drawing::FontRole::small, AlignX::left});
}

void point_at(const session::ViewState& state, Canvas& canvas, const scenes::NumberCell& cell) {
  canvas.fill_round_rect(cell.rect.inset(canvas.px(1), -canvas.px(2)), color(Role::control_hover),
                         canvas.px(4));
  const char* const command = session::number_command(cell.number);
  std::string hint = cell.hint + "\n" + command_title(state, command);
  if (!cell.factor.empty() || !cell.before.empty())
    hint += fmt::format("\n{} forgets what was before", command_key(state, "numbers.forget"));
  drawing::tooltip(hint, command_key(state, command));
}

}  // namespace

float number_strip_panel_height(float width) {
  const float scale = drawing::px(100) / 100;
  const scenes::NumberStripMetrics metrics{
      {scale, drawing::line_height(FontRole::body), drawing::line_height(FontRole::small),
       drawing::text_width(FontRole::small, "0"), 0, 0},
      drawing::text_width(kValueFont, "0"),
      drawing::line_height(kValueFont)};
  return scenes::number_strip_height(width - drawing::px(kBeside), metrics) + 2 * drawing::px(5);
}

void draw_number_strip(const session::ViewState& state, session::Requests& requests) {
  // The panel's own padding would take as much room as the numbers.
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::SetCursorScreenPos({corner.x + drawing::px(8), corner.y + drawing::px(5)});
  Canvas canvas("numbers", {size.x - drawing::px(kBeside), size.y - drawing::px(10)});
  if (!state.numbers.now) return;
  const scenes::KeyNumbers* const before = session::numbers_before(state);
  const scenes::NumberStrip strip =
      scenes::layout_number_strip(*state.numbers.now, before, canvas.area(), metrics_of(canvas));
  Rect scope = strip.scope_rect;
  canvas.text(scope.cut_top(canvas.line_height(FontRole::small)), strip.scope, color(Role::text_dim),
              {FontRole::small, AlignX::left});
  canvas.text(scope.cut_top(canvas.line_height(kValueFont)), strip.provenance, color(Role::text_dim),
              {FontRole::small, AlignX::left});
  if (canvas.hovered())
    if (const scenes::NumberCell* cell = scenes::number_cell_at(strip, canvas.mouse()))
      point_at(state, canvas, *cell);
  for (const scenes::NumberCell& cell : strip.cells) {
    if (cell.starts_group)
      canvas.line({cell.rect.left, cell.rect.top + canvas.px(2)},
                  {cell.rect.left, cell.rect.bottom - canvas.px(2)}, color(Role::panel_border), canvas.px(1));
    mark_flash(canvas, cell.rect, state, scenes::figure_name(cell.number));
    draw_cell(canvas, cell);
    const char* const command = session::number_command(cell.number);
    if (canvas.spot(cell.rect, command, command_enabled(state, command)).pressed) requests.command = command;
  }
}

}  // namespace gemmscope::views
