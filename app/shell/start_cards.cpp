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

constexpr float kWidth = 880, kPadding = 16, kGap = 10;  // points
constexpr float kInsetX = 12, kInsetY = 10;              // of a card's texts
constexpr const char* kCards[] = {"tour.start", "start.bank_conflict", "start.ladder", "start.open"};

// True when it was clicked.
bool draw_card(Canvas& canvas, Rect card, const session::Command& command, const std::string& key) {
  const bool hovered = canvas.hovered() && card.contains(canvas.mouse());
  canvas.fill_round_rect(card, color(hovered ? Role::control_hover : Role::control), canvas.px(7));
  if (hovered) canvas.stroke_round_rect(card, color(Role::accent), canvas.px(7), canvas.px(1.5f));
  Rect inner = card.inset(canvas.px(kInsetX), canvas.px(kInsetY));
  const Rect foot = inner.cut_bottom(canvas.line_height(FontRole::small) + canvas.px(2));
  canvas.text(inner.cut_top(canvas.line_height(FontRole::title) + canvas.px(4)), command.title,
              color(Role::text_strong), {FontRole::body_strong, AlignX::left, AlignY::center});
  canvas.text_wrapped(inner, command.description, color(Role::text), FontRole::body);
  canvas.text(foot, key, color(Role::accent), {FontRole::small, AlignX::left, AlignY::center});
  return canvas.spot(card, command.id).pressed;
}

// So high that the longest text of a card is whole.
float card_height(const session::CommandTable& commands, float width) {
  float text = 0;
  for (const char* const id : kCards)
    text = std::max(text, drawing::text_wrapped_height(commands.find(id)->description, FontRole::body,
                                                       width - px(2 * kInsetX) - 1));
  // A card has room to breathe.
  return px(2 * kInsetY + 4 + 2 + 12) + drawing::line_height(FontRole::title) +
         drawing::line_height(FontRole::small) + text + px(6);
}

bool titles_fit(const session::CommandTable& commands, float width) {
  return std::ranges::all_of(kCards, [&](const char* id) {
    return drawing::text_width(FontRole::body_strong, commands.find(id)->title) <= width - px(2 * kInsetX);
  });
}

}  // namespace

std::string draw_start_cards(const session::CommandTable& commands, bool& open) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float most = std::min(px(kWidth), display.x - px(2 * kPadding)) - px(2 * kPadding), gap = px(kGap);
  const auto width_of = [&](float columns) { return std::floor((most - gap * (columns - 1)) / columns); };
  // Where four cards side by side would be narrow, they stand in two rows.
  const bool narrow = !titles_fit(commands, width_of(4));
  const float columns = narrow ? 2 : 4, rows = narrow ? 2 : 1;
  const float head_height = drawing::line_height(FontRole::title) + px(8);
  const float height =
      px(2 * kPadding) + head_height + rows * card_height(commands, width_of(columns)) + gap * (rows - 1);
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
    Rect head = area.cut_top(head_height);
    canvas.text(head, "Where to start", color(Role::text_strong),
                {FontRole::title, AlignX::left, AlignY::top});
    canvas.text(head, "Esc closes, " + commands.key_text("start.cards") + " opens this again",
                color(Role::text_dim), {FontRole::small, AlignX::right, AlignY::top});
    const auto in_row = static_cast<size_t>(columns);
    const float width = std::floor((area.width() - gap * (columns - 1)) / columns);
    const float row_height = std::floor((area.height() - gap * (rows - 1)) / rows);
    for (size_t first = 0; first < std::size(kCards); first += in_row) {
      Rect row = area.cut_top(row_height);
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
