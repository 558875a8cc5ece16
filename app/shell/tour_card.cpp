#include "shell/tour_card.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/canvas.h"
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

constexpr float kWidth = 760, kPadding = 14, kBar = 4, kGap = 8;  // points
constexpr int kLines = 2;                                         // of the sentence

struct Button {
  const char *id, *text;
};

float button_width(const Button& button) { return drawing::text_width(FontRole::body, button.text) + px(24); }

bool draw_button(Canvas& canvas, Rect place, const Button& button, const std::string& key, bool strong) {
  const bool hovered = canvas.hovered() && place.contains(canvas.mouse());
  const Role fill = strong ? Role::accent : hovered ? Role::control_hover : Role::control;
  canvas.fill_round_rect(place, color(fill), canvas.px(5));
  canvas.text(place, button.text, color(strong ? Role::text_on_accent : Role::text_strong),
              {FontRole::body, AlignX::center, AlignY::center});
  if (hovered) drawing::tooltip("", key);
  return hovered && canvas.clicked();
}

float card_height() {
  return kLines * drawing::wrapped_line_height(FontRole::title) + drawing::line_height(FontRole::body) +
         px(2 * kPadding + 2 * kGap + kBar + 8);
}

void begin_card() {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  place_popup(kWidth, card_height(), display.y - card_height() - px(8));  // popups keep a margin of 16
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(kPadding), px(kPadding)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, drawing::packed(color(Role::panel_raised)));
  ImGui::PushStyleColor(ImGuiCol_Border, drawing::packed(color(Role::accent)));
  ImGui::Begin("##tour", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

void draw_progress(Canvas& canvas, Rect bar, float share) {
  canvas.fill_round_rect(bar, color(Role::control), bar.height() / 2);
  bar.right = bar.left + std::max(bar.height(), bar.width() * share);
  canvas.fill_round_rect(bar, color(Role::accent), bar.height() / 2);
}

}  // namespace

float tour_card_room() { return card_height() + px(16); }

std::string draw_tour_card(const session::CommandTable& commands, session::AppFlags& flags) {
  const session::TourState& tour = flags.tour;
  const session::TourStep& step = session::tour_steps()[tour.step];
  begin_card();
  std::string clicked;
  {
    Canvas canvas("tour");
    Rect area = canvas.area();
    draw_progress(canvas, area.cut_top(px(kBar)), session::tour_progress(tour));
    area.cut_top(px(kGap));
    Rect foot = area.cut_bottom(drawing::line_height(FontRole::body) + px(8));
    canvas.text_wrapped(area, step.sentence, color(Role::text_strong), FontRole::title);
    const Button buttons[] = {
        {"tour.start", "End"}, {"tour.next", "Next"}, {"tour.pause", tour.paused ? "Go on" : "Pause"}};
    for (const Button& button : buttons) {
      if (draw_button(canvas, foot.cut_right(button_width(button)), button, commands.key_text(button.id),
                      tour.paused && std::string_view(button.id) == "tour.pause"))
        clicked = button.id;
      foot.cut_right(px(kGap));
    }
    canvas.text(foot, fmt::format("Tour, {} of {}", tour.step + 1, session::tour_steps().size()),
                color(Role::text_dim), {FontRole::body, AlignX::left, AlignY::center});
  }
  if (!flags.present.on && key_pressed(ImGuiKey_Escape)) session::end_tour(flags.tour);
  ImGui::End();
  return clicked;
}

}  // namespace gemmscope::shell
