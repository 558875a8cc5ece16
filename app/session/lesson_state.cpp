#include "session/lesson_state.h"

#include <algorithm>

#include "lessons/figure_values.h"
#include "session/lesson_waiting.h"

namespace gemmscope::session {

using lessons::Question;
using lessons::QuestionKind;

const lessons::Lesson* LessonState::open_lesson() const {
  if (lessons == nullptr || contents || lesson >= lessons->lessons.size()) return nullptr;
  return &lessons->lessons[lesson];
}

const lessons::Page* LessonState::open_page() const {
  const lessons::Lesson* open = open_lesson();
  return open == nullptr || page >= open->pages.size() ? nullptr : &open->pages[page];
}

namespace {

// What is kept of the open page; null: nothing, or its question was another one then.
const PageAnswer* kept_answer(const LessonState& state) {
  const lessons::Page* open = state.open_page();
  if (open == nullptr || !open->question) return nullptr;
  const auto found = state.answers.find({state.open_lesson()->id, open->id});
  if (found == state.answers.end() || found->second.asked != open->question->ask.english) return nullptr;
  return &found->second;
}

bool has_open_question(const LessonState& state) {
  const lessons::Page* page = state.open_page();
  return page != nullptr && page->question && state.answer() == nullptr;
}

// What is kept of the page, begun where there is none. Call it for a page with a question.
PageAnswer& begun_answer(LessonState& state) {
  ++state.answers_version;
  const lessons::Page& page = *state.open_page();
  PageAnswer& answer = state.answers[{state.open_lesson()->id, page.id}];
  if (answer.asked != page.question->ask.english) answer = {page.question->ask.english, {}, false};
  return answer;
}

}  // namespace

const PageAnswer* LessonState::answer() const {
  const PageAnswer* kept = kept_answer(*this);
  return kept != nullptr && kept->revealed ? kept : nullptr;
}

const PageAnswer* LessonState::collected() const {
  const PageAnswer* kept = kept_answer(*this);
  return kept != nullptr && !kept->revealed ? kept : nullptr;
}

lessons::Hides LessonState::hides() const {
  const lessons::Page* open = open_page();
  return visible && open != nullptr && answer() == nullptr ? open->hides : lessons::Hides{};
}

bool LessonState::asks() const { return visible && has_open_question(*this); }

bool LessonState::asks_for_point() const {
  return asks() && open_page()->question->kind == QuestionKind::point;
}

LessonScore LessonState::score() const {
  LessonScore all;
  if (lessons == nullptr) return all;
  for (const lessons::Lesson& one : lessons->lessons) all += score(one);
  return all;
}

namespace {

// The draft as a guess, or why it is none.
Result<lessons::Guess> usable_draft(const LessonState& state, const Question& question,
                                    const experiment::BlockResult* block, uint32_t instruction) {
  lessons::Guess guess = state.draft;
  switch (question.kind) {
    case QuestionKind::number: {
      const auto number = lessons::parse_number(state.typed);
      if (!number) return fail("Type a number, such as 1,024 or 6.3k or 84 %.");
      guess.number = *number;
      guess.percent = state.typed.find('%') != std::string::npos;
      break;
    }
    case QuestionKind::choice:
      if (!state.has_choice) return fail("Choose an answer first.");
      break;
    case QuestionKind::order:
      if (guess.order.size() != question.choices.size())
        return fail("Put all of them in order: click one after the other.");
      break;
    case QuestionKind::point:
      if (block == nullptr) return fail("Wait until the picture is there.");
      guess.on_point = lessons::is_on_point(question, *block, instruction);
      break;
  }
  return guess;
}

}  // namespace

namespace {

// What the lecturer typed, as the guesses of a class. False: `trouble` says why it is none.
bool collect_numbers(LessonState& state) {
  const std::vector<lessons::CountedNumber> numbers = lessons::parse_numbers(state.typed);
  if (numbers.empty()) {
    state.trouble = "Type the guesses, such as 16 32x4 64: four said 32.";
    return false;
  }
  PageAnswer& answer = begun_answer(state);
  for (const lessons::CountedNumber& one : numbers) {
    lessons::Guess guess;
    guess.number = one.number;
    guess.percent = one.percent;
    add_guess(answer, guess, std::min(one.count, kMostHands));
  }
  state.typed.clear();
  return true;
}

bool has_draft(const LessonState& state) {
  switch (state.open_page()->question->kind) {
    case QuestionKind::number:
      return !state.typed.empty();
    case QuestionKind::order:
      return !state.draft.order.empty();
    case QuestionKind::choice:
      return state.has_choice;
    case QuestionKind::point:
      return false;
  }
  return false;
}

void give_for_class(LessonState& state, const experiment::BlockResult* block, uint32_t instruction) {
  if (has_draft(state)) {
    collect_guess(state, block, instruction);
    if (!state.trouble.empty()) return;
  }
  const PageAnswer* collected = state.collected();
  if (collected == nullptr || collected->count() == 0) {
    state.trouble = "No guess of the class is there yet.";
    return;
  }
  reveal(state);
}

}  // namespace

void give_answer(LessonState& state, const experiment::BlockResult* block, uint32_t instruction) {
  if (!has_open_question(state)) return;
  state.trouble.clear();
  if (state.of_class) return give_for_class(state, block, instruction);
  const Question& question = *state.open_page()->question;
  const auto guess = usable_draft(state, question, block, instruction);
  if (!guess) {
    state.trouble = guess.error().message;
    return;
  }
  if (state.values == nullptr) return run_with_figures(state, "lesson.answer");
  const auto truth = lessons::truth_of(question, *state.values);
  if (!truth) {
    state.trouble = truth.error().message;
    return;
  }
  PageAnswer& answer = begun_answer(state);
  answer.guesses = {{*guess, 1, is_right(question, *guess, *truth)}};
  answer.revealed = true;
}

void collect_guess(LessonState& state, const experiment::BlockResult* block, uint32_t instruction) {
  if (!has_open_question(state)) return;
  state.trouble.clear();
  const Question& question = *state.open_page()->question;
  if (question.kind == QuestionKind::number) return (void)collect_numbers(state);
  const auto guess = usable_draft(state, question, block, instruction);
  if (!guess) {
    state.trouble = guess.error().message;
    return;
  }
  add_guess(begun_answer(state), *guess);
  state.draft = {};
  state.has_choice = false;
}

void take_back(LessonState& state, const lessons::Guess& guess) {
  if (state.collected() != nullptr) take_guess(begun_answer(state), guess);
}

void take_back(LessonState& state) {
  const PageAnswer* collected = state.collected();
  if (collected == nullptr || collected->guesses.empty()) return;
  const lessons::Guess last = collected->guesses.back().guess;
  take_back(state, last);
}

void reveal(LessonState& state) {
  if (!has_open_question(state)) return;
  const bool guessed = state.collected() != nullptr && state.collected()->count() > 0;
  if (guessed && state.values == nullptr) return run_with_figures(state, "lesson.reveal");
  PageAnswer& answer = begun_answer(state);
  answer.revealed = true;
  if (!guessed) return;
  const Question& question = *state.open_page()->question;
  if (const auto truth = lessons::truth_of(question, *state.values))
    judge(answer, question, *truth);
  else
    answer.guesses.clear();  // nobody can say which are right
}

void ask_again(LessonState& state) {
  const lessons::Page* page = state.open_page();
  if (page == nullptr) return;
  state.answers.erase({state.open_lesson()->id, page->id});
  ++state.answers_version;
}

void forget_all(LessonState& state) {
  state.answers.clear();
  ++state.answers_version;
}

void add_to_order(LessonState& state, size_t choice) {
  std::vector<size_t>& order = state.draft.order;
  const auto found = std::ranges::find(order, choice);
  if (found == order.end())
    order.push_back(choice);
  else
    order.erase(found, order.end());
}

}  // namespace gemmscope::session
