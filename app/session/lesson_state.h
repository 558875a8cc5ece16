// The lesson that is open: its page, its figures, and what was guessed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lessons/guess.h"
#include "lessons/lesson.h"
#include "lessons/read_lesson.h"
#include "session/lesson_answers.h"

namespace gemmscope::session {

struct LessonState {
  std::shared_ptr<const lessons::LessonList> lessons;  // null until they are first asked for
  bool visible = false;                                // in place of the experiment
  bool contents = true;                                // the list of lessons, else a page
  bool experiment = false;                             // the experiment is shown all the same
  size_t lesson = 0, page = 0;
  std::shared_ptr<const lessons::FigureValues> values;  // of the page; null while they are computed
  std::string unavailable;  // why the page's experiment cannot be shown, a sentence; else empty

  lessons::Guess draft;     // of the page, not given yet
  std::string typed;        // the number of the draft
  bool has_choice = false;  // the draft has one
  std::string trouble;      // why the draft is no answer, a sentence; else empty
  bool of_class = false;    // the guesses of many people are collected, until the page is revealed
  PageAnswers answers;
  uint64_t answers_version = 0;  // changes with `answers`

  // What remains to be run for the page, once results are there.
  std::vector<std::string> commands;
  bool begins = false;   // the page was opened and none of its commands has run
  bool reveals = false;  // it was answered before: once `commands` have run, what it reveals is shown
  bool settled() const { return !begins && !reveals && commands.empty(); }

  const lessons::Lesson* open_lesson() const;  // null: none
  const lessons::Page* open_page() const;      // null: none
  const PageAnswer* answer() const;            // of the page; null: not revealed
  const PageAnswer* collected() const;         // guesses of the page that is not revealed yet; null: none
  lessons::Hides hides() const;                // what is covered now
  bool asks() const;                           // a page is shown whose question is open
  bool asks_for_point() const;                 // the same, and it asks for an instruction
  LessonScore score(const lessons::Lesson& one) const { return score_of(one, answers); }
  LessonScore score() const;  // of all lessons
};

// What the user does with a lesson in the window.
struct LessonRequest {
  enum class Action : unsigned char {
    contents,
    open_page,
    next,
    previous,
    draft,
    answer,
    reveal,
    experiment,
    fewer,  // takes one guess like the draft away from those of the class
    close
  };
  Action action = Action::contents;
  size_t lesson = 0, page = 0;  // open_page
  lessons::Guess draft = {};    // draft
  std::string typed = {};       // draft
  bool has_choice = false;      // draft
};

// Gives the draft as the answer and reveals the page; of a class, reveals what was collected, with the draft.
// Without a usable draft `trouble` says what is missing. `block` and `instruction`: where the cursor is, for
// a question that asks for a point.
void give_answer(LessonState& state, const experiment::BlockResult* block, uint32_t instruction);
// Adds the draft to the guesses of the class.
void collect_guess(LessonState& state, const experiment::BlockResult* block, uint32_t instruction);
void take_back(LessonState& state);  // one of the guess that was collected last
void take_back(LessonState& state, const lessons::Guess& guess);
void reveal(LessonState& state);      // without the draft
void ask_again(LessonState& state);   // forgets the guesses of the page
void forget_all(LessonState& state);  // and those of every page
// Puts a choice at the end of the draft's order; one that is in it already is taken out with all after it.
void add_to_order(LessonState& state, size_t choice);

}  // namespace gemmscope::session
