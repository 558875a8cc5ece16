// What was predicted on the pages of lessons: by one person, or by a class whose guesses a lecturer collects.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lessons/guess.h"
#include "lessons/lesson.h"

namespace gemmscope::session {

inline constexpr int kMostHands = 9999;  // for one guess

struct GivenGuess {
  lessons::Guess guess;
  int count = 1;       // so many people gave it
  bool right = false;  // found out when the page is revealed
  friend bool operator==(const GivenGuess&, const GivenGuess&) = default;
};

struct PageAnswer {
  std::string asked;                // the question in English: a page that asks something else is unanswered
  std::vector<GivenGuess> guesses;  // each once; none: the page was revealed without one
  bool revealed = false;            // until then the guesses of a class are collected

  int count() const;        // of all guesses
  int right_count() const;  // of those that are right
  bool right() const;       // more than half of them
  // The only guess, or null where there is none or a class gave several.
  const lessons::Guess* single() const;
  int count_of_choice(size_t choice) const;
  friend bool operator==(const PageAnswer&, const PageAnswer&) = default;
};

using PageAnswers = std::map<std::pair<std::string, std::string>, PageAnswer>;  // by ids of lesson and page

// Adds one more of this guess.
void add_guess(PageAnswer& answer, const lessons::Guess& guess, int count = 1);
void take_guess(PageAnswer& answer, const lessons::Guess& guess);  // removes one of it, if there is one
// Finds out which guesses are right.
void judge(PageAnswer& answer, const lessons::Question& question, const lessons::Truth& truth);

// The guess in the middle of the typed numbers, of an answer that has any.
double median_number(const PageAnswer& answer);

struct LessonScore {
  size_t right = 0, guessed = 0;  // pages
  LessonScore& operator+=(const LessonScore& more);
};
LessonScore score_of(const lessons::Lesson& lesson, const PageAnswers& answers);

}  // namespace gemmscope::session
