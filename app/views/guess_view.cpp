#include "views/guess_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "drawing/canvas.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "lessons/page_text.h"
#include "scenes/guess_strip_scene.h"

namespace gemmscope::views {
namespace {

using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Role;
using lessons::QuestionKind;
using session::GivenGuess;
using session::LessonRequest;

std::string guess_text(const GivenGuess& given, QuestionKind kind) {
  const std::string times = given.count == 1 ? "" : fmt::format("{} \u00d7 ", given.count);
  if (kind == QuestionKind::order) return times + order_letters(given.guess.order);
  if (kind == QuestionKind::number)
    return times + lessons::format_figure(given.guess.number, given.guess.percent ? ".3%" : "");
  return times + (given.guess.on_point ? "\u2713" : "\u2717");
}

// Dots over an axis, the truth as a line through it.
void draw_strip(const session::PageAnswer& answer, const lessons::Truth& truth) {
  std::vector<scenes::GuessedNumber> numbers;
  for (const GivenGuess& given : answer.guesses) {
    // "84 %" may stand for 0.84 or for 84.
    const bool hundred = given.guess.percent && truth.number > 1;
    numbers.push_back({given.guess.number * (hundred ? 100 : 1), given.count, given.right});
  }
  const float line = drawing::line_height(FontRole::small);
  Canvas canvas("guesses", {ImGui::GetContentRegionAvail().x, px(54) + line});
  drawing::Rect area = canvas.area();
  const drawing::Rect words = area.cut_bottom(line);
  const scenes::GuessStrip strip = scenes::layout_guess_strip(numbers, truth.number, area, px(9));
  canvas.fill_rect(strip.truth, color(Role::ok));
  canvas.fill_rect(strip.axis, color(Role::grid_strong));
  for (const scenes::GuessDot& dot : strip.dots)
    canvas.fill_round_rect(dot.rect, color(dot.right ? Role::ok : Role::accent),
                           std::min(dot.rect.width(), dot.rect.height()) / 2);
  const auto label = [&](double number, drawing::AlignX align) {
    canvas.text(words, lessons::format_figure(number, ""), color(Role::text_dim), {FontRole::small, align});
  };
  label(strip.least, drawing::AlignX::left);
  if (strip.most > strip.least) label(strip.most, drawing::AlignX::right);
}

}  // namespace

std::string order_letters(const std::vector<size_t>& order) {
  std::string letters;
  for (const size_t i : order)
    letters +=
        (letters.empty() ? "" : ", ") + std::string(1, static_cast<char>('A' + std::min<size_t>(i, 25)));
  return letters;
}

void draw_collected(const session::LessonState& lesson, session::Requests& requests) {
  const session::PageAnswer* collected = lesson.collected();
  const QuestionKind kind = lesson.open_page()->question->kind;
  if (collected == nullptr || kind == QuestionKind::choice) return;
  // Whether the cursor was at the instruction is not told before the page is revealed.
  if (kind == QuestionKind::point)
    return drawing::dim_text(
        fmt::format("{} guess{}", collected->count(), collected->count() == 1 ? "" : "es"));
  float room = ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < collected->guesses.size(); ++i) {
    const GivenGuess& given = collected->guesses[i];
    const std::string text = guess_text(given, kind);
    const float width = drawing::text_width(FontRole::body, text) + px(24);
    if (i > 0 && width < room) drawing::same_line(4);
    if (i > 0 && width >= room) room = ImGui::GetContentRegionAvail().x;
    room -= width;
    ImGui::PushID(static_cast<int>(i));
    if (drawing::quiet_button(text.c_str(), true, true)) {
      LessonRequest request;
      request.action = LessonRequest::Action::fewer;
      request.draft = given.guess;
      requests.lesson = request;
    }
    drawing::tooltip("A click takes one away");
    ImGui::PopID();
  }
}

void draw_class_result(const session::PageAnswer& answer, const lessons::Question& question,
                       const lessons::Truth* truth) {
  if (question.kind == QuestionKind::number && truth != nullptr) {
    draw_strip(answer, *truth);
    drawing::dim_text(fmt::format("The guess in the middle: {}",
                                  lessons::format_figure(session::median_number(answer), "")));
  }
  if (question.kind == QuestionKind::order)
    for (const GivenGuess& given : answer.guesses)
      drawing::dim_text(
          fmt::format("{}  {}", given.right ? "\u2713" : "\u2717", guess_text(given, question.kind)));
}

}  // namespace gemmscope::views
