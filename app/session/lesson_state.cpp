#include "session/lesson_state.h"

#include <algorithm>

#include "lessons/figure_values.h"

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

const PageAnswer* LessonState::answer() const {
  const lessons::Page* open = open_page();
  if (open == nullptr) return nullptr;
  const auto found = answers.find({open_lesson()->id, open->id});
  return found == answers.end() ? nullptr : &found->second;
}

lessons::Hides LessonState::hides() const {
  const lessons::Page* open = open_page();
  return visible && open != nullptr && answer() == nullptr ? open->hides : lessons::Hides{};
}

LessonScore LessonState::score(const lessons::Lesson& of) const {
  LessonScore score;
  for (const lessons::Page& page_of : of.pages) {
    const auto found = answers.find({of.id, page_of.id});
    if (found == answers.end() || !found->second.guess) continue;
    ++score.guessed;
    if (found->second.right) ++score.right;
  }
  return score;
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

void give_answer(LessonState& state, const experiment::BlockResult* block, uint32_t instruction) {
  const lessons::Page* page = state.open_page();
  if (page == nullptr || !page->question || state.answer() != nullptr) return;
  state.trouble.clear();
  if (state.values == nullptr) {
    state.trouble = "The answer is still being computed.";
    return;
  }
  const auto guess = usable_draft(state, *page->question, block, instruction);
  const auto truth = lessons::truth_of(*page->question, *state.values);
  if (!guess || !truth) {
    state.trouble = !guess ? guess.error().message : truth.error().message;
    return;
  }
  state.answers[{state.open_lesson()->id, page->id}] = {*guess, is_right(*page->question, *guess, *truth)};
}

void add_to_order(LessonState& state, size_t choice) {
  std::vector<size_t>& order = state.draft.order;
  const auto found = std::ranges::find(order, choice);
  if (found == order.end())
    order.push_back(choice);
  else
    order.erase(found, order.end());
}

void reveal(LessonState& state) {
  const lessons::Page* page = state.open_page();
  if (page != nullptr && state.answer() == nullptr) state.answers[{state.open_lesson()->id, page->id}] = {};
}

}  // namespace gemmscope::session
