// The lesson that is open: its page, its figures, and what was guessed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lessons/guess.h"
#include "lessons/lesson.h"
#include "lessons/read_lesson.h"

namespace gemmscope::session {

struct PageAnswer {
  std::optional<lessons::Guess> guess;  // nothing: it was revealed without one
  bool right = false;
};

struct LessonScore {
  size_t right = 0, guessed = 0;
};

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
  std::map<std::pair<std::string, std::string>, PageAnswer> answers;  // by lesson and page; those revealed

  // What remains to be run for the page, once results are there.
  std::vector<std::string> commands;

  const lessons::Lesson* open_lesson() const;  // null: none
  const lessons::Page* open_page() const;      // null: none
  const PageAnswer* answer() const;            // of the page; null: not revealed
  lessons::Hides hides() const;                // what is covered now
  LessonScore score(const lessons::Lesson& lesson) const;
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
    close
  };
  Action action = Action::contents;
  size_t lesson = 0, page = 0;  // open_page
  lessons::Guess draft = {};    // draft
  std::string typed = {};       // draft
  bool has_choice = false;      // draft
};

// Gives the draft as the answer and reveals the page; without a usable draft `trouble` says what is missing.
// `block` and `instruction`: where the cursor is, for a question that asks for a point.
void give_answer(LessonState& state, const experiment::BlockResult* block, uint32_t instruction);
void reveal(LessonState& state);  // without a guess
// Puts a choice at the end of the draft's order; one that is in it already is taken out with all after it.
void add_to_order(LessonState& state, size_t choice);

}  // namespace gemmscope::session
