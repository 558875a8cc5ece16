// Commands for what explains: "Show me", the strip of a kernel's lesson, and the cards at the start.
#include <fmt/format.h>

#include "session/app_commands_parts.h"
#include "session/show_me.h"

namespace gemmscope::session {
namespace {

void show_or_stop(Workspace& w) {
  if (w.state().show_me.running) return w.stop_show_me();
  w.show_me();
}

bool can_show(Workspace& w) {
  const catalog::Kernel* const kernel = w.catalog().find(w.state().experiment.kernel);
  return w.state().show_me.running || (kernel != nullptr && !kernel->show_me.empty());
}

void add_start(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {.id = "start.cards",
              .title = "Where to start",
              .category = "Help",
              .key = "F4",
              .run = [&flags] { flags.show_start = !flags.show_start; },
              .checked = [&flags] { return flags.show_start; }});
  add(table, {.id = "start.bank_conflict",
              .title = "See a bank conflict",
              .category = "Help",
              .key = "F5",
              .run =
                  [&w, &flags] {
                    flags.show_start = false;
                    w.open_lesson("bank_conflicts");
                  },
              .description = "32 lanes in one bank; one float more in a row ends it."});
  add(table, {.id = "start.ladder",
              .title = "Climb the ladder",
              .category = "Help",
              .key = "F6",
              .run =
                  [&w, &flags] {
                    flags.show_start = false;
                    w.open_lesson("01_naive_rows");
                  },
              .description = "From three loops to tensor cores, one idea a step."});
  add(table, {.id = "start.open",
              .title = "Open my kernel\u2026",
              .category = "Help",
              .key = "F7",
              .run =
                  [&flags] {
                    flags.show_start = false;
                    flags.show_open = true;
                  },
              .description = "Any .cu file, drawn anew each time it is saved."});
}

constexpr const char* kNeedsLesson = "no lesson is open; lesson.open lists them.";

void choose(Workspace& w, size_t choice) {
  LessonState& state = w.state().lesson;
  const lessons::Page* page = state.open_page();
  if (page == nullptr || !page->question || choice >= page->question->choices.size()) return;
  if (page->question->kind == lessons::QuestionKind::order) return add_to_order(state, choice);
  state.draft.choice = choice;
  state.has_choice = true;
  if (state.of_class) w.collect_for_class();
}

// The guesses of a class, and forgetting what was guessed.
void add_guesses(CommandTable& table, Workspace& w) {
  const auto asks = [&w] { return w.state().lesson.asks(); };
  const auto collects = [&w, asks] { return asks() && w.state().lesson.of_class; };
  add(table, {.id = "lesson.class",
              .title = "Collect the guesses of a class",
              .category = "Lessons",
              .key = "Ctrl+Shift+H",
              .run =
                  [&w] {
                    LessonState& state = w.state().lesson;
                    state.of_class = !state.of_class;
                    state.trouble.clear();
                  },
              .enabled = [&w] { return w.state().lesson.visible; },
              .needs = kNeedsLesson,
              .checked = [&w] { return w.state().lesson.of_class; },
              .description = "Hands for each choice, or a list of numbers: shown beside the truth."});
  add(table, {.id = "lesson.add_guess",
              .title = "Add this guess to those of the class",
              .category = "Lessons",
              .key = "Ctrl+Shift+N",
              .run = [&w] { w.collect_for_class(); },
              .enabled = collects,
              .needs = "no question is open that a class answers.",
              .while_typing = true});
  add(table, {.id = "lesson.take_back",
              .title = "Take the last guess back",
              .category = "Lessons",
              .key = "Ctrl+Shift+U",
              .run = [&w] { take_back(w.state().lesson); },
              .enabled = [&w, collects] { return collects() && w.state().lesson.collected() != nullptr; },
              .needs = "no guess of a class was collected.",
              .repeats = true});
  add(table, {.id = "lesson.ask_again",
              .title = "Ask this page again",
              .category = "Lessons",
              .key = "Ctrl+Shift+R",
              .run = [&w] { w.ask_page_again(); },
              .enabled = [&w] { return w.state().lesson.answer() != nullptr; },
              .needs = "no answered page is open.",
              .description = "Forgets what was guessed on the page."});
  add(table, {.id = "lesson.forget_all",
              .title = "Forget the guesses of all lessons",
              .category = "Lessons",
              .run =
                  [&w] {
                    LessonState& state = w.state().lesson;
                    const bool on_page = state.visible && state.open_page() != nullptr;
                    forget_all(state);
                    if (on_page) w.open_page(state.lesson, state.page);
                  },
              .enabled = [&w] { return !w.state().lesson.answers.empty(); },
              .needs = "nothing was guessed yet."});
}

void add_pages(CommandTable& table, Workspace& w) {
  const auto is_open = [&w] { return w.state().lesson.visible; };
  const auto unrevealed = [&w] { return w.state().lesson.asks(); };
  add(table, {.id = "lesson.open",
              .title = "Lessons",
              .category = "Lessons",
              .key = "Ctrl+G",
              .run =
                  [&w] {
                    if (w.state().lesson.visible)
                      w.state().lesson.visible = false;
                    else
                      w.open_lessons();
                  },
              .checked = [&w] { return w.state().lesson.visible; },
              .description = "Chapters that ask for a prediction and reveal what the machine code does."});
  add(table, {.id = "lesson.contents",
              .title = "List of lessons",
              .category = "Lessons",
              .key = "Ctrl+Home",
              .run = [&w] {
                w.open_lessons();
                w.state().lesson.contents = true;
              }});
  add(table, {.id = "lesson.next",
              .title = "Next page",
              .category = "Lessons",
              .key = "Ctrl+PageDown",
              .run = [&w] { w.turn_page(1); },
              .enabled = is_open,
              .needs = kNeedsLesson});
  add(table, {.id = "lesson.previous",
              .title = "Previous page",
              .category = "Lessons",
              .key = "Ctrl+PageUp",
              .run = [&w] { w.turn_page(-1); },
              .enabled = is_open,
              .needs = kNeedsLesson});
  add(table, {.id = "lesson.answer",
              .title = "Give this answer",
              .category = "Lessons",
              .key = "Ctrl+Enter",
              .run = [&w] { w.answer_page(); },
              .enabled = unrevealed,
              .needs = "no question is open."});
  add(table, {.id = "lesson.reveal",
              .title = "Reveal without an answer",
              .category = "Lessons",
              .key = "Ctrl+Shift+Enter",
              .run = [&w] { w.reveal_page(); },
              .enabled = unrevealed,
              .needs = "no question is open."});
  add(table, {.id = "lesson.experiment",
              .title = "Lesson or experiment",
              .category = "Lessons",
              .key = "Ctrl+Shift+G",
              .run = [&w] { w.state().lesson.experiment = !w.state().lesson.experiment; },
              .enabled = is_open,
              .needs = kNeedsLesson});
  static constexpr const char* kTitles[] = {"Answer A", "Answer B", "Answer C",
                                            "Answer D", "Answer E", "Answer F"};
  for (size_t i = 0; i < std::size(kTitles); ++i)
    add(table, {.id = fmt::format("lesson.answer_{}", static_cast<char>('a' + i)),
                .title = kTitles[i],
                .category = "Lessons",
                .key = fmt::format("Ctrl+Shift+{}", i + 1),
                .run = [&w, i] { choose(w, i); },
                .enabled = unrevealed,
                .needs = "no question is open."});
}

}  // namespace

void add_lesson_commands(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {.id = "lesson.show_me",
              .title = "Show me, or stop",
              .category = "View",
              .key = "E",
              .run = [&w] { show_or_stop(w); },
              .enabled = [&w] { return can_show(w); },
              .needs = "this kernel's description lists no commands to show.",
              .description = "Runs the commands that the kernel's description lists.",
              .presenting_keys = "F5"});
  add(table, {.id = "lesson.strip",
              .title = "Why and what to look at",
              .category = "View",
              .key = "H",
              .run = [&w] { w.state().show_me.hidden = !w.state().show_me.hidden; },
              .checked = [&w] { return !w.state().show_me.hidden; }});
  add_start(table, w, flags);
  add_pages(table, w);
  add_guesses(table, w);
}

}  // namespace gemmscope::session
