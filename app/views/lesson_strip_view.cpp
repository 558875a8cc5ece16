#include "views/lesson_strip_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "drawing/canvas.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/lesson_strip_scene.h"
#include "views/command_hint.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

constexpr float kPaddingX = 14, kPaddingY = 6;  // of the panel, in points
constexpr float kHighRoom = 560;                // points; more lines are shown where there is so much

const catalog::Kernel* kernel_of(const session::ViewState& state) {
  return state.catalog == nullptr ? nullptr : state.catalog->find(state.experiment.kernel);
}

scenes::LessonMetrics metrics_for(float room) {
  const auto measure = [](FontRole role) {
    return [role](std::string_view text) { return drawing::text_width(role, text); };
  };
  return {px(100) / 100,
          measure(FontRole::body),
          measure(FontRole::small),
          drawing::wrapped_line_height(FontRole::body),
          drawing::wrapped_line_height(FontRole::small),
          room > px(kHighRoom) ? 4 : 2,
          room > px(kHighRoom) ? 5 : 4};
}

// In the language of the screen: the scene breaks them into lines.
scenes::LessonTexts shown_texts(const catalog::Catalog& catalog, const catalog::Kernel& kernel) {
  scenes::LessonTexts texts = scenes::lesson_texts(catalog, kernel);
  for (std::string* const text : {&texts.why, &texts.look_at})
    *text = drawing::shown_text(*text, FontRole::body);
  return texts;
}

// A button of the strip; true when it was clicked.
bool button(Canvas& canvas, Rect place, const std::string& text, bool enabled, bool strong,
            const std::string& hint, const std::string& key) {
  if (text.empty()) return false;
  const bool hovered = canvas.hovered() && place.contains(canvas.mouse());
  const Role fill = !enabled  ? Role::control
                    : strong  ? Role::accent
                    : hovered ? Role::control_hover
                              : Role::control;
  canvas.fill_round_rect(place, color(fill), canvas.px(5));
  const Role ink = !enabled ? Role::text_dim : strong ? Role::text_on_accent : Role::text_strong;
  canvas.text(place.inset(canvas.px(4), 0), text, color(ink),
              {FontRole::small, AlignX::center, AlignY::center});
  if (hovered) drawing::tooltip(hint, key);
  return canvas.spot(place, text, enabled).pressed;
}

void draw_buttons(const session::ViewState& state, session::Requests& requests, Canvas& canvas,
                  const scenes::LessonStrip& strip, const scenes::LessonTexts& texts) {
  const auto run = [&](const char* id) { requests.command = id; };
  if (button(canvas, strip.previous, texts.previous.empty() ? "" : texts.previous, true, false,
             texts.previous_title, command_key(state, "experiment.previous_kernel")))
    run("experiment.previous_kernel");
  if (button(canvas, strip.next, texts.next.empty() ? "" : texts.next, true, false, texts.next_title,
             command_key(state, "experiment.next_kernel")))
    run("experiment.next_kernel");
  const session::ShowMeState& show = state.show_me;
  const std::string trouble =
      state.commands == nullptr ? "" : session::show_me_trouble(*kernel_of(state), *state.commands);
  const std::string hint = !trouble.empty() ? trouble : show.running ? "Stop" : "Shows it, step by step";
  if ((texts.has_show_me || show.running) &&
      button(canvas, strip.show_me, show.running ? "Stop" : "Show me", trouble.empty(), true, hint,
             command_key(state, "lesson.show_me")))
    run("lesson.show_me");
  std::string place = texts.place;
  if (show.running) {
    place = fmt::format("{} of {}", show.next, show.commands.size());
    const std::string named = place + ": " + show.title;
    if (canvas.text_width(named, FontRole::small) <= strip.place.width()) place = named;
  }
  canvas.text(strip.place, place, color(show.running ? Role::accent : Role::text_dim),
              {FontRole::small, AlignX::center, AlignY::center});
}

}  // namespace

float lesson_strip_panel_height(const session::ViewState& state, float width, float room) {
  const catalog::Kernel* const kernel = kernel_of(state);
  if (kernel == nullptr || state.show_me.hidden) return 0;
  const scenes::LessonTexts texts = shown_texts(*state.catalog, *kernel);
  if (texts.empty()) return 0;
  return scenes::lesson_strip_height(texts, width - 2 * px(kPaddingX), metrics_for(room)) + 2 * px(kPaddingY);
}

void draw_lesson_strip(const session::ViewState& state, session::Requests& requests, float room) {
  const catalog::Kernel* const kernel = kernel_of(state);
  if (kernel == nullptr) return;
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::SetCursorScreenPos({corner.x + px(kPaddingX), corner.y + px(kPaddingY)});
  Canvas canvas("lesson", {size.x - 2 * px(kPaddingX), size.y - 2 * px(kPaddingY)});
  const scenes::LessonTexts texts = shown_texts(*state.catalog, *kernel);
  const scenes::LessonStrip strip = scenes::layout_lesson_strip(texts, canvas.area(), metrics_for(room));
  for (const scenes::LessonPart& part : strip.parts) {
    const FontRole font = strip.small ? FontRole::small : FontRole::body;
    Rect heading = part.heading_rect;
    canvas.text(heading.cut_top(drawing::wrapped_line_height(font)), part.heading, color(Role::accent),
                {font, AlignX::left, AlignY::center});
    canvas.text_wrapped(part.text_rect, part.text, color(Role::text), font);
    if (!part.whole && canvas.hovered() && part.text_rect.contains(canvas.mouse()))
      drawing::tooltip(part.text);
  }
  draw_buttons(state, requests, canvas, strip, texts);
}

}  // namespace gemmscope::views
