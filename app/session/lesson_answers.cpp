#include "session/lesson_answers.h"

#include <algorithm>
#include <numeric>

namespace gemmscope::session {

int PageAnswer::count() const {
  return std::accumulate(guesses.begin(), guesses.end(), 0,
                         [](int sum, const GivenGuess& given) { return sum + given.count; });
}

int PageAnswer::right_count() const {
  return std::accumulate(guesses.begin(), guesses.end(), 0, [](int sum, const GivenGuess& given) {
    return sum + (given.right ? given.count : 0);
  });
}

bool PageAnswer::right() const { return 2 * right_count() > count(); }

const lessons::Guess* PageAnswer::single() const { return count() == 1 ? &guesses.front().guess : nullptr; }

int PageAnswer::count_of_choice(size_t choice) const {
  int count = 0;
  for (const GivenGuess& given : guesses)
    if (given.guess.choice == choice) count += given.count;
  return count;
}

void add_guess(PageAnswer& answer, const lessons::Guess& guess, int count) {
  auto found = std::ranges::find(answer.guesses, guess, &GivenGuess::guess);
  if (found == answer.guesses.end()) found = answer.guesses.insert(found, {guess, 0, false});
  found->count = std::clamp(found->count + count, 1, kMostHands);
}

void take_guess(PageAnswer& answer, const lessons::Guess& guess) {
  const auto found = std::ranges::find(answer.guesses, guess, &GivenGuess::guess);
  if (found != answer.guesses.end() && --found->count == 0) answer.guesses.erase(found);
}

void judge(PageAnswer& answer, const lessons::Question& question, const lessons::Truth& truth) {
  for (GivenGuess& given : answer.guesses) given.right = is_right(question, given.guess, truth);
}

double median_number(const PageAnswer& answer) {
  std::vector<double> numbers;
  for (const GivenGuess& given : answer.guesses)
    numbers.insert(numbers.end(), static_cast<size_t>(given.count), given.guess.number);
  if (numbers.empty()) return 0;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

LessonScore& LessonScore::operator+=(const LessonScore& more) {
  right += more.right;
  guessed += more.guessed;
  return *this;
}

LessonScore score_of(const lessons::Lesson& lesson, const PageAnswers& answers) {
  LessonScore score;
  for (const lessons::Page& page : lesson.pages) {
    const auto found = answers.find({lesson.id, page.id});
    if (found == answers.end() || !page.question || found->second.asked != page.question->ask.english)
      continue;
    if (!found->second.revealed || found->second.count() == 0) continue;
    ++score.guessed;
    if (found->second.right()) ++score.right;
  }
  return score;
}

}  // namespace gemmscope::session
