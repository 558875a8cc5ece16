#include "shell/start_cards.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/canvas.h"
#include "drawing/icons.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "shell/dialog.h"

namespace gemmscope::shell {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

constexpr float kWidth = 880, kHeight = 200, kHeadHeight = 50, kPadding = 16, kGap = 10;  // points
constexpr const char* kCards[] = {"tour.start", "start.bank_conflict", "start.ladder", "start.open"};

// True when it was clicked.
bool draw_card(Canvas& canvas, Rect card, const session::Command& command, const std::string& key) {
  const bool hovered = canvas.hovered() && card.contains(canvas.mouse());
  canvas.fill_round_rect(card, color(hovered ? Role::control_hover : Role::control), canvas.px(7));
  if (hovered) canvas.stroke_round_rect(card, color(Role::accent), canvas.px(7), canvas.px(1.5f));
  Rect inner = card.inset(canvas.px(12), canvas.px(10));
  const Rect foot = inner.cut_bottom(canvas.line_height(FontRole::small) + canvas.px(2));
  canvas.text(inner.cut_top(canvas.line_height(FontRole::title) + canvas.px(4)), command.title,
              color(Role::text_strong), {FontRole::body_strong, AlignX::left, AlignY::center});
  canvas.text_wrapped(inner, command.description, color(Role::text), FontRole::body);
  canvas.text(foot, key, color(Role::accent), {FontRole::small, AlignX::left, AlignY::center});
  return canvas.spot(card, command.id).pressed;
}

}  // namespace

std::string draw_start_cards(const session::CommandTable& commands, bool& open) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // Where four cards side by side would be narrow, they stand in two rows.
  const bool narrow = display.x < px(kWidth);
  const float height = px(narrow ? 2 * kHeight - kHeadHeight : kHeight);
  place_popup(kWidth, height, (display.y - height) * 0.45f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(kPadding), px(kPadding)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, drawing::packed(color(Role::panel_raised)));
  ImGui::Begin("##start", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  std::string clicked;
  {
    Canvas canvas("cards");
    Rect area = canvas.area();
    Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(8));
    canvas.text(head, "Where to start", color(Role::text_strong),
                {FontRole::title, AlignX::left, AlignY::top});
    canvas.text(head, "Esc closes, " + commands.key_text("start.cards") + " opens this again",
                color(Role::text_dim), {FontRole::small, AlignX::right, AlignY::top});
    const float gap = canvas.px(kGap);
    const size_t in_row = std::size(kCards) / (narrow ? 2 : 1);
    const float rows = narrow ? 2 : 1, columns = static_cast<float>(in_row);
    const float width = std::floor((area.width() - gap * (columns - 1)) / columns);
    const float card_height = std::floor((area.height() - gap * (rows - 1)) / rows);
    for (size_t first = 0; first < std::size(kCards); first += in_row) {
      Rect row = area.cut_top(card_height);
      area.cut_top(gap);
      for (size_t i = first; i < first + in_row; ++i) {
        const Rect card = row.cut_left(width);
        row.cut_left(gap);
        if (draw_card(canvas, card, *commands.find(kCards[i]), commands.key_text(kCards[i])))
          clicked = kCards[i];
      }
    }
  }
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered();
  if (beside || key_pressed(ImGuiKey_Escape)) open = false;
  ImGui::End();
  return clicked;
}

}  // namespace gemmscope::shell
