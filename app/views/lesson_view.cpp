#include "views/lesson_view.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "drawing/extra_glyphs.h"
#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "language/current_language.h"
#include "scenes/text.h"
#include "views/command_hint.h"
#include "views/guess_view.h"
#include "views/lesson_parts.h"

namespace gemmscope::views {
namespace {

using drawing::FontRole;
using drawing::px;
using drawing::Role;
using lessons::FigureValues;
using lessons::Lesson;
using lessons::Page;
using lessons::Question;
using lessons::QuestionKind;
using session::LessonRequest;
using session::LessonState;
using session::PageAnswer;
using Action = LessonRequest::Action;

constexpr const char* kRight = "\u2713";
constexpr const char* kWrong = "\u2717";
constexpr float kLowPanel = 540, kLowSpacing = 4;  // points: in a low panel a page stands closer together
constexpr int kFramesToVerdict = 3;
constexpr float kLeastScrolled = 200;  // points under a title that stays where it is
constexpr float kLeastText = 100;      // of these, above buttons that do so, too

void ask_for(session::Requests& requests, Action action) {
  LessonRequest request;
  request.action = action;
  requests.lesson = request;
}

LessonRequest draft_of(const LessonState& lesson) {
  LessonRequest request;
  request.action = Action::draft;
  request.draft = lesson.draft;
  request.typed = lesson.typed;
  request.has_choice = lesson.has_choice;
  return request;
}

std::vector<lessons::TextPart> text_of(const Text& text, const FigureValues* values) {
  return lessons::fill_in(text.in(language::current_language()), values);
}

void colored(Role role, FontRole font, const std::string& text) {
  const drawing::ScopedFont scoped(font);
  ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(drawing::color(role)));
  const std::string shown(drawing::shown_text(text, font));
  drawing::want_glyphs(shown, font);
  ImGui::TextWrapped("%s", shown.c_str());
  ImGui::PopStyleColor();
}

std::string score_text(const session::LessonScore& score) {
  return score.guessed == 0 ? "" : fmt::format("right {} of {}", score.right, score.guessed);
}

// ---- the list of lessons

// A chapter below the panel's end would be overlooked: where they do not all fit, they stand closer together.
void draw_contents(const LessonState& state, session::Requests& requests) {
  const std::string score_of_all = score_text(state.score());
  const size_t scores = std::ranges::count_if(
      state.lessons->lessons, [&](const Lesson& lesson) { return !score_text(state.score(lesson)).empty(); });
  drawing::heading("Lessons", score_of_all.empty() ? fmt::format("{} page{}", state.lessons->page_count(),
                                                                 plural(state.lessons->page_count()))
                                                   : score_of_all);
  drawing::gap(4);
  const size_t count = state.lessons->lessons.size();
  const float apart = ImGui::GetStyle().ItemSpacing.y;
  const float height = static_cast<float>(count) * (choice_button_height({}) + 2 * apart + px(2)) +
                       static_cast<float>(scores) * (drawing::line_height(FontRole::small) + apart);
  const bool low = height > ImGui::GetContentRegionAvail().y;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      {ImGui::GetStyle().ItemSpacing.x, low ? px(kLowSpacing) : apart});
  for (size_t i = 0; i < count; ++i) {
    const Lesson& lesson = state.lessons->lessons[i];
    ImGui::PushID(static_cast<int>(i));
    ChoiceButton button;
    button.low = low;
    button.letter = fmt::format("{}", i + 1);
    button.text = lessons::fill_in(lesson.title.in(language::current_language()), nullptr);
    button.mark = fmt::format("{}", lesson.pages.size());
    if (choice_button("lesson", button) != ChoicePress::none) {
      LessonRequest request;
      request.action = Action::open_page;
      request.lesson = i;
      requests.lesson = request;
    }
    drawing::tooltip(lesson.summary.in(language::current_language()));
    if (const std::string score = score_text(state.score(lesson)); !score.empty()) {
      const drawing::ScopedFont font(FontRole::small);
      drawing::dim_text(score);
    }
    if (!low) drawing::gap(2);
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  if (!state.answers.empty()) {
    drawing::gap(8);
    if (drawing::quiet_button("Forget all guesses")) requests.command = "lesson.forget_all";
  }
  for (const Error& error : state.lessons->errors) colored(Role::error, FontRole::small, error.message);
}

// ---- a page

bool is_low() { return ImGui::GetWindowHeight() < px(kLowPanel); }

bool is_last_page(const LessonState& state) {
  return state.page + 1 == state.open_lesson()->pages.size() &&
         state.lesson + 1 == state.lessons->lessons.size();
}

// "The last rung · 2 of 6", of which a narrow line keeps the number.
std::string place_of(const Lesson& lesson, size_t page, float width) {
  const std::string title = lesson.title.in(language::current_language());
  const std::string whole = fmt::format("{}  \u00b7  {} of {}", title, page + 1, lesson.pages.size());
  return drawing::fit_head(
      drawing::shown_text(whole, FontRole::small), title.size(), width,
      [](std::string_view part) { return drawing::text_width(FontRole::small, std::string(part)); });
}

// The list of lessons, where one is, and the pages beside this one.
void draw_head(const session::ViewState& view, const Lesson& lesson, session::Requests& requests) {
  const LessonState& state = view.lesson;
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  if (drawing::icon_button("contents", drawing::Icon::more, "List of lessons",
                           command_key(view, "lesson.contents")))
    ask_for(requests, Action::contents);
  const float button = ImGui::GetItemRectSize().x;
  drawing::same_line(6);
  ImGui::AlignTextToFramePadding();
  {
    const drawing::ScopedFont font(FontRole::small);
    drawing::dim_text(place_of(lesson, state.page, ImGui::GetContentRegionAvail().x - 2 * button - px(8)));
  }
  ImGui::SameLine(right - 2 * button - px(2));
  if (drawing::icon_button("previous", drawing::Icon::step_back, "The page before",
                           command_key(view, "lesson.previous")))
    ask_for(requests, Action::previous);
  ImGui::SameLine(right - button);
  if (drawing::icon_button("next", drawing::Icon::step_forward, "The next page",
                           command_key(view, "lesson.next"), !is_last_page(state)))
    ask_for(requests, Action::next);
  drawing::gap(4);
}

// An order's place of a choice: that of the guess at its left, that of the truth at its right.
void mark_place(ChoiceButton& button, const LessonState& state, const lessons::Truth* truth, size_t i) {
  const PageAnswer* answer = state.answer();
  const lessons::Guess* single = answer == nullptr ? &state.draft : answer->single();
  const lessons::Guess none;
  const std::vector<size_t>& order = (single == nullptr ? none : *single).order;
  const auto place = std::ranges::find(order, i) - order.begin();
  button.chosen = place < static_cast<std::ptrdiff_t>(order.size());
  // A class's orders are written with letters.
  if (button.chosen) button.letter = fmt::format("{}.", place + 1);
  if (answer == nullptr || truth == nullptr) return;
  const auto right = std::ranges::find(truth->order, i) - truth->order.begin();
  button.mark = fmt::format("{}.", right + 1);
  button.mark_role = single == nullptr || (button.chosen && right == place) ? Role::ok : Role::warning;
}

// A choice's mark, and how many of a class chose it.
void mark_choice(ChoiceButton& button, const LessonState& state, const lessons::Truth* truth, size_t i) {
  const PageAnswer* answer = state.answer();
  const bool right = truth != nullptr && truth->choice == i;
  if (answer != nullptr) {
    const lessons::Guess* single = answer->single();
    button.chosen = single != nullptr && single->choice == i;
    button.mark = right ? kRight : button.chosen ? kWrong : "";
    button.mark_role = right ? Role::ok : single == nullptr ? Role::accent : Role::warning;
    if (answer->count() < 2) return;
    button.share = static_cast<float>(answer->count_of_choice(i)) / static_cast<float>(answer->count());
    button.hands = fmt::format("{}", answer->count_of_choice(i));
    return;
  }
  button.chosen = !state.of_class && state.has_choice && state.draft.choice == i;
  if (!state.of_class) return;
  const int hands = state.collected() == nullptr ? 0 : state.collected()->count_of_choice(i);
  button.hands = fmt::format("{}", hands);
  button.can_lower = hands > 0;
}

// The choices, with marks once the page is revealed. Returns where each begins.
std::vector<float> draw_choices(const LessonState& state, const Question& question, bool low,
                                session::Requests& requests) {
  std::vector<float> tops;
  const auto truth = state.values == nullptr ? Result<lessons::Truth>(fail("not yet"))
                                             : lessons::truth_of(question, *state.values);
  for (size_t i = 0; i < question.choices.size(); ++i) {
    tops.push_back(ImGui::GetCursorPosY());
    ImGui::PushID(static_cast<int>(i));
    ChoiceButton button;
    button.letter = std::string(1, static_cast<char>('A' + i));
    button.low = low;
    button.text = text_of(question.choices[i].text, state.values.get());
    button.enabled = state.answer() == nullptr;
    const auto mark = question.kind == QuestionKind::order ? mark_place : mark_choice;
    mark(button, state, truth ? &*truth : nullptr, i);
    const ChoicePress press = choice_button("choice", button);
    if (press == ChoicePress::chosen)
      requests.command = fmt::format("lesson.answer_{}", static_cast<char>('a' + i));
    if (press == ChoicePress::fewer) {
      LessonRequest request;
      request.action = Action::fewer;
      request.draft.choice = i;
      requests.lesson = request;
    }
    drawing::gap(low ? 1 : 3);
    ImGui::PopID();
  }
  return tops;
}

// Why figures of the page are missing, as for code that only NVRTC could make.
void draw_missing(const FigureValues* values) {
  if (values == nullptr) return;
  const auto missing = std::ranges::find_if(*values, [](const auto& figure) { return !figure.second; });
  if (missing == values->end()) return;
  drawing::gap(4);
  colored(Role::warning, FontRole::small,
          fmt::format("Some figures of this page are missing here: {}.", missing->second.error().message));
}

// An instruction's text without the " ;" that ends it.
std::string without_end(const std::string& text) { return text.substr(0, text.find_last_not_of(" ;") + 1); }

// A number of the question as it is said: a share, where percent are asked for.
std::string number_text(const Question& question, double number, bool percent) {
  const bool share = percent || (question.ask.english.find('%') != std::string::npos && number <= 1);
  return lessons::format_figure(number, share ? ".1%" : "");
}

// The right answer, where no choice shows it: "It is 32."
std::string truth_text(const session::ViewState& view, const Question& question,
                       const Result<lessons::Truth>& truth) {
  if (question.kind == QuestionKind::point && view.has_trace())
    if (const auto point = lessons::point_of(question, *view.block))
      return fmt::format("It is {} at {}.", without_end(view.block->compiled->text[*point]),
                         scenes::place_text(*view.block->compiled, *point));
  if (!truth) return truth.error().message;
  if (question.kind != QuestionKind::number) return "";
  const char* approximately = truth->origin == lessons::Origin::modelled ? "\u2248" : "";
  return fmt::format("It is {}{}.", approximately, number_text(question, truth->number, false));
}

// Broken between words alone: "at matrix.cuh:51" keeps its name whole.
void verdict_line(const char* id, Role role, const std::string& text) {
  const std::string shown(drawing::shown_text(text, FontRole::body_strong));
  lesson_text(id, {{shown, std::nullopt, "", false}}, FontRole::body_strong, role);
}

// "You said 16.  It is 32.", or of a class: "12 of 31 were right.  It is 32."
void draw_verdict(const session::ViewState& view, const Question& question) {
  const LessonState& state = view.lesson;
  const PageAnswer& answer = *state.answer();
  const auto truth = state.values == nullptr ? Result<lessons::Truth>(fail("\u2026"))
                                             : lessons::truth_of(question, *state.values);
  const std::string is = truth_text(view, question, truth);
  if (answer.count() > 1) {
    verdict_line("of class", answer.right() ? Role::ok : Role::warning,
                 fmt::format("{} of {} were right.", answer.right_count(), answer.count()));
    if (!is.empty()) verdict_line("truth", Role::text_strong, is);
    return draw_class_result(answer, question, truth ? &*truth : nullptr);
  }
  const lessons::Guess* guess = answer.single();
  std::string said;
  if (guess != nullptr && question.kind == QuestionKind::number)
    said = fmt::format("You said {}.", number_text(question, guess->number, guess->percent));
  if (guess == nullptr) {
    if (!is.empty()) verdict_line("truth", Role::text_strong, is);
    return;
  }
  std::string verdict = answer.right() ? kRight : kWrong;
  for (const std::string& part : {std::string(answer.right() ? "Right." : "Not quite."), said, is})
    if (!part.empty()) verdict += "  " + std::string(drawing::shown_text(part, FontRole::body_strong));
  verdict_line("verdict", answer.right() ? Role::ok : Role::warning, verdict);
}

void draw_class_switch(const session::ViewState& view, session::Requests& requests) {
  drawing::same_line(8);
  if (drawing::quiet_button("Class", true, view.lesson.of_class)) requests.command = "lesson.class";
  drawing::tooltip("Collects the guesses of a class: hands for each choice, or a list of numbers",
                   command_key(view, "lesson.class"));
}

void draw_class_buttons(const session::ViewState& view, const Question& question,
                        session::Requests& requests) {
  if (question.kind != QuestionKind::choice) {
    if (drawing::primary_button("Add")) requests.command = "lesson.add_guess";
    drawing::tooltip("Adds this guess to those of the class", command_key(view, "lesson.add_guess"));
    drawing::same_line(8);
  }
  const PageAnswer* collected = view.lesson.collected();
  const bool any = collected != nullptr && collected->count() > 0;
  if (any && question.kind == QuestionKind::choice ? drawing::primary_button("Reveal")
                                                   : drawing::quiet_button("Reveal"))
    ask_for(requests, Action::reveal);
  drawing::tooltip("Shows the truth beside the guesses of the class", command_key(view, "lesson.reveal"));
}

void draw_answer_buttons(const session::ViewState& view, const Question& question,
                         session::Requests& requests) {
  if (view.lesson.of_class) {
    draw_class_buttons(view, question, requests);
  } else {
    const bool point = question.kind == QuestionKind::point;
    if (drawing::primary_button(point ? "The cursor is on it" : "This is my answer"))
      ask_for(requests, Action::answer);
    drawing::tooltip(point ? "Click the instruction in the code or in a picture first" : "",
                     command_key(view, "lesson.answer"));
    drawing::same_line(8);
    if (drawing::quiet_button("Reveal")) ask_for(requests, Action::reveal);
    drawing::tooltip("Without an answer", command_key(view, "lesson.reveal"));
  }
  draw_class_switch(view, requests);
  // Below the buttons: a second click on "Add" would take the guess away that has come there.
  if (view.lesson.of_class) draw_collected(view.lesson, requests);
  if (!view.lesson.trouble.empty()) colored(Role::warning, FontRole::small, view.lesson.trouble);
}

void draw_score(const LessonState& state, const Lesson& lesson) {
  const std::string score = score_text(state.score(lesson));
  if (score.empty()) return;
  const drawing::ScopedFont font(FontRole::small);
  ImGui::AlignTextToFramePadding();
  drawing::dim_text(score);
}

// After the answer; before it, the head's buttons turn the pages and leave the room to the question.
void draw_foot(const session::ViewState& view, const Page& page, session::Requests& requests) {
  const LessonState& state = view.lesson;
  const Lesson& lesson = *state.open_lesson();
  if (page.question && state.answer() == nullptr) return draw_score(state, lesson);
  if (state.answer() != nullptr) {
    if (drawing::quiet_button("Ask again")) requests.command = "lesson.ask_again";
    drawing::tooltip("Forgets what was guessed on this page", command_key(view, "lesson.ask_again"));
    drawing::same_line(8);
  }
  if (drawing::quiet_button("Back")) ask_for(requests, Action::previous);
  drawing::tooltip("The page before", command_key(view, "lesson.previous"));
  if (!is_last_page(state)) {
    drawing::same_line(8);
    if (drawing::primary_button(state.page + 1 == lesson.pages.size() ? "Next lesson" : "Next page"))
      ask_for(requests, Action::next);
    drawing::tooltip("", command_key(view, "lesson.next"));
  }
  if (!score_text(state.score(lesson)).empty()) drawing::same_line(12);
  draw_score(state, lesson);
}

}  // namespace

void LessonView::draw_number(const LessonState& lesson, session::Requests& requests) {
  std::string typed = lesson.typed;
  ImGui::SetNextItemWidth(px(150));
  const char* hint = lesson.of_class ? "16 32x4 64" : "a number";
  if (ImGui::InputTextWithHint("##number", drawing::hint(hint).c_str(), &typed)) {
    LessonRequest request = draft_of(lesson);
    request.typed = typed;
    requests.lesson = request;
  }
  const bool entered =
      ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
  drawing::tab_stop(drawing::StopKind::field, "lesson number");
  if (entered) requests.command = lesson.of_class ? "lesson.add_guess" : "lesson.answer";
}

namespace {

// The part that scrolls. It begins a little further left than its text, because the first letter of a line
// may reach beyond its own place, as Chinese ones do.
void begin_page(const std::string& id, float height) {
  const float overhang = px(3);
  const ImVec2 place = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({place.x - overhang, place.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(overhang, 0));
  ImGui::BeginChild(("##page " + id).c_str(), {0, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
}

}  // namespace

void LessonView::draw_page(const session::ViewState& view, session::Requests& requests) {
  const LessonState& state = view.lesson;
  const Lesson& lesson = *state.open_lesson();
  const Page& page = *state.open_page();
  const FigureValues* values = state.values.get();
  const std::string id = lesson.id + page.id;
  another_ = page_ != id;
  page_ = id;
  if (another_) scrolls_ = tight_ = false;
  draw_head(view, lesson, requests);
  lesson_text("title", text_of(page.title, values), FontRole::title, Role::text_strong);
  drawing::gap(6);
  // Where there is room, the title stays in sight while the rest scrolls, and so do the buttons.
  const float panel = ImGui::GetWindowHeight(), room = ImGui::GetContentRegionAvail().y;
  const bool low = is_low() || tight_, apart = room > px(kLeastScrolled);
  const bool below = apart && scrolls_ && room - buttons_height_ > px(kLeastText);
  // Another page is another part of the window, which begins at its top.
  if (apart) begin_page(id, below ? -buttons_height_ : 0);
  draw_body(view, page, low, requests);
  const float end = ImGui::GetCursorPosY();
  if (!below) draw_buttons(view, page, low, requests);
  scroll_to_verdict();
  scrolls_ = apart && end + buttons_height_ > room;
  stand_closer(panel);
  if (apart) ImGui::EndChild();
  if (below) draw_buttons(view, page, low, requests);
}

void LessonView::draw_buttons(const session::ViewState& view, const Page& page, bool low,
                              session::Requests& requests) {
  const float top = ImGui::GetCursorPosY();
  drawing::gap(low ? 2 : 4);
  if (page.question && view.lesson.answer() == nullptr) draw_answer_buttons(view, *page.question, requests);
  draw_foot(view, page, requests);
  buttons_height_ = ImGui::GetCursorPosY() - top + ImGui::GetStyle().ItemSpacing.y;
}

// A page that does not fit stands closer together until it is another one, is answered, or has another panel.
// (What is left below the title would not do: it changes with the distance between the lines.)
void LessonView::stand_closer(float panel) {
  if (panel != panel_ || revealed_ != tight_revealed_ || page_ != tight_page_) tight_ = false;
  panel_ = panel;
  tight_revealed_ = revealed_;
  tight_page_ = page_;
  if (!scrolls_ || tight_) return;
  tight_ = true;
  if (revealed_ && to_verdict_ > 0) to_verdict_ = kFramesToVerdict;  // its length is known one frame later
}

// Where the page may begin so that its end is in sight: at a line of its text, at a choice, at the verdict.
float LessonView::scroll_to_see(float beyond) const {
  const float line = lesson_line_height(FontRole::body);
  if (const float lines = std::ceil(beyond / line) * line; lines <= asked_) return lines;
  const auto choice = std::ranges::lower_bound(tops_, beyond);
  return choice == tops_.end() ? verdict_ : *choice;
}

void LessonView::scroll_to_verdict() {
  const float end = ImGui::GetCursorPosY();
  if (another_ || !revealed_) below_end_ = 0;
  if (below_end_ > 0) ImGui::Dummy({1, below_end_});
  const float beyond = std::max(0.0f, end - ImGui::GetWindowHeight());
  follow_end(beyond);
  if (to_verdict_ == 0) return;
  --to_verdict_;
  // The panel scrolls no further than to its end, which it knows one frame later.
  if (to_verdict_ == 1) below_end_ = std::max(0.0f, scroll_to_see(beyond) - beyond);
  if (to_verdict_ == 0) ImGui::SetScrollY(scrolled_to_ = scroll_to_see(beyond));
}

// What the answer adds may come later: the instruction that a point is, once the block has been executed; a
// notice, which makes the panel less high. The end stays in sight, unless the user has scrolled.
void LessonView::follow_end(float beyond) {
  const bool grew = beyond > std::exchange(beyond_, beyond);
  if (another_ || !revealed_) {
    follows_ = false;
    scrolled_to_ = 0;
  }
  if (to_verdict_ > 0) follows_ = true;
  if (!follows_ || to_verdict_ > 0 || !grew) return;
  if (std::abs(ImGui::GetScrollY() - scrolled_to_) > 1) {
    follows_ = false;
    return;
  }
  to_verdict_ = kFramesToVerdict;
}

void LessonView::draw_body(const session::ViewState& view, const Page& page, bool low,
                           session::Requests& requests) {
  const LessonState& state = view.lesson;
  const FigureValues* values = state.values.get();
  const bool revealed = state.answer() != nullptr;
  if (another_) ImGui::SetScrollY(0);
  // The panel knows how long the page has become one frame after the answer, or after its figures came.
  if (revealed && !another_ && (!revealed_ || values != values_)) to_verdict_ = kFramesToVerdict;
  revealed_ = revealed;
  values_ = values;
  const auto text = text_of(page.text, values);
  lesson_text("text", text, FontRole::body, Role::text);
  // While figures are computed their place is kept, so that no button moves away under the pointer.
  values != nullptr
      ? lesson_sources(text)
      : lesson_sources_to_come(lessons::origins_to_come(page, page.text.in(language::current_language())));
  if (!state.unavailable.empty()) {
    drawing::gap(4);
    colored(Role::warning, FontRole::small, state.unavailable);
  }
  draw_missing(values);
  drawing::gap(page.question ? 10 : 0);
  asked_ = ImGui::GetCursorPosY();
  if (page.question) {
    lesson_text("ask", text_of(page.question->ask, values), FontRole::body_strong, Role::accent);
    drawing::gap(6);
    if (state.answer() == nullptr) drawing::tab_begins_here();
    tops_ = draw_choices(state, *page.question, low, requests);
    if (page.question->kind == QuestionKind::number && state.answer() == nullptr)
      draw_number(state, requests);
    verdict_ = ImGui::GetCursorPosY();
    if (state.answer() != nullptr) {
      drawing::gap(4);
      draw_verdict(view, *page.question);
    }
  }
  if (!page.reveal.empty() && (!page.question || state.answer() != nullptr)) {
    drawing::gap(6);
    const auto reveal = text_of(page.reveal, values);
    lesson_text("reveal", reveal, FontRole::body, Role::text);
    ImGui::PushID("reveal");
    lesson_sources(reveal);
    ImGui::PopID();
    drawing::gap(low ? 2 : 8);
  }
}

// All that the lessons will write in Chinese, in one go: fonts made anew for each page would make it wait.
void LessonView::want_texts(const session::LessonState& state) {
  const bool chinese = language::current_language() == Language::chinese;
  if (!chinese || known_texts_ == state.lessons.get()) return;
  known_texts_ = state.lessons.get();
  const auto want = [](const Text& text, std::initializer_list<FontRole> roles) {
    for (const FontRole role : roles) drawing::want_glyphs(text.in(Language::chinese), role);
  };
  for (const Lesson& lesson : state.lessons->lessons) {
    want(lesson.title, {FontRole::body, FontRole::small});
    for (const Page& page : lesson.pages) {
      want(page.title, {FontRole::title});
      for (const Text* text : {&page.text, &page.reveal}) want(*text, {FontRole::body});
      if (!page.question) continue;
      want(page.question->ask, {FontRole::body_strong});
      for (const lessons::Choice& choice : page.question->choices) want(choice.text, {FontRole::body});
    }
  }
}

void LessonView::draw(const session::ViewState& state, session::Requests& requests) {
  if (state.lesson.lessons == nullptr) return;
  want_texts(state.lesson);
  if (state.lesson.open_page() == nullptr) return draw_contents(state.lesson, requests);
  const float spacing = is_low() || tight_ ? px(kLowSpacing) : ImGui::GetStyle().ItemSpacing.y;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, spacing});
  draw_page(state, requests);
  ImGui::PopStyleVar();
}

}  // namespace gemmscope::views
