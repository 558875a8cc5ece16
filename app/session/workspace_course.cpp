// The lessons: opening a page shows its experiment, revealing it shows what comes out.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "experiment/recorded_time.h"
#include "experiment/timing_choice.h"
#include "lessons/check_lesson.h"
#include "scenes/first_record.h"
#include "session/command_table.h"
#include "session/explorer_state.h"
#include "session/foreign_commands.h"
#include "session/lesson_waiting.h"
#include "session/workspace.h"

namespace gemmscope::session {

using experiment::Experiment;

void Workspace::open_lessons() {
  lessons_.open(state_.lesson);
  state_.lesson.visible = true;
  state_.lesson.experiment = false;
}

namespace {

// Each page begins from the same window, so that it looks the same however one comes to it. What is the
// user's own (theme, sizes of panels, columns of the code) stays.
void begin_page_view(ViewState& state) {
  state.lattice.visible = state.lattice.wide = false;
  state.board.wide = false;
  show_explorer(state, false);
  state.occupancy.wide = false;
  state.occupancy.choice = {};
  note_occupancy(state);
  state.pipeline = {};
  state.picture = catalog::Picture::none;
  state.picture_of.clear();
  state.map = {};
  state.playback.warp = 0;
  state.code.sorted = false;
  state.code.rank_by = scenes::CodeChoice{}.rank_by;
  state.code.selected.reset();
  TimingState& timings = state.timings;
  timings.visible = timings.wide = false;
  timings.history = {};
  experiment::TimingChoice choice;
  choice.measure = timings.choice.measure;
  choice.ticked = timings.choice.ticked;
  choice.flush_l2 = timings.choice.flush_l2;
  timings.choice = std::move(choice);
}

// Takes the names of recordings out of the commands of a page, and chooses the last one.
void choose_recording(TimingState& timings, const Experiment& shown, std::vector<std::string>& commands) {
  std::erase_if(commands, [&](const std::string& command) {
    if (!command.starts_with(lessons::kRecordingOf)) return false;
    timings.choice.recording = experiment::recording_of(
        timings.recordings, std::string_view(command).substr(lessons::kRecordingOf.size()),
        experiment::key_of(shown), shown.problem);
    return true;
  });
}

// Commands that switch on and off only switch on here: what is on already needs none.
bool is_on(const CommandTable* commands, const std::string& id) {
  const Command* command = commands == nullptr ? nullptr : commands->find(id);
  return command != nullptr && command->checked && command->checked();
}

}  // namespace

void Workspace::show_page_experiment(const Experiment& experiment, const std::vector<std::string>& commands) {
  pause();
  stop_show_me();
  state_.toggle.clear();
  const bool shown = experiment == state_.experiment && state_.has_trace();
  set_experiment(experiment);
  opens_anew_ = !shown;  // what the cursor showed has nothing to do with the page
  if (shown)
    seek({scenes::first_record_to_show(*state_.block, state_.playback.warp), scenes::kAllWavefronts});
  state_.lesson.commands = commands;
}

void Workspace::open_page(size_t lesson, size_t page) {
  LessonState& state = state_.lesson;
  open_lessons();
  state.contents = false;
  state.lesson = lesson;
  state.page = page;
  state.draft = {};
  state.typed.clear();
  state.has_choice = false;
  state.trouble.clear();
  const lessons::Page* open = state.open_page();
  if (open == nullptr) {
    state.contents = true;
    return;
  }
  if (state_.pinned.side != nullptr) pin();  // unpins: a page begins from a known window
  lessons_.want_figures(state, catalog_);
  begin_page_view(state_);
  state.unavailable.clear();
  state.begins = true;
  state.reveals = state.answer() != nullptr;
  show_page_experiment(open->experiment, open->show);
}

void Workspace::turn_page(int offset) {
  const LessonState& state = state_.lesson;
  const lessons::Lesson* open = state.open_lesson();
  if (open == nullptr) return open_page(state.lesson, state.page);  // from the list
  const auto pages = static_cast<int>(open->pages.size());
  const int page = static_cast<int>(state.page) + offset;
  if (page >= 0 && page < pages) return open_page(state.lesson, static_cast<size_t>(page));
  const size_t next =
      page < 0 ? state.lesson - 1 : state.lesson + 1;  // wraps below the first, which is refused
  if (next >= state.lessons->lessons.size()) return;
  open_page(next, page < 0 ? state.lessons->lessons[next].pages.size() - 1 : 0);
}

void Workspace::answer_page() {
  const bool has_place = state_.has_trace() && state_.block->experiment == state_.experiment;
  give_answer(state_.lesson, has_place ? state_.block.get() : nullptr,
              has_place ? state_.record().instruction : 0);
  show_revealed();
}

void Workspace::collect_for_class() {
  const bool has_place = state_.has_trace() && state_.block->experiment == state_.experiment;
  collect_guess(state_.lesson, has_place ? state_.block.get() : nullptr,
                has_place ? state_.record().instruction : 0);
}

void Workspace::ask_page_again() {
  ask_again(state_.lesson);
  open_page(state_.lesson.lesson, state_.lesson.page);
}

void Workspace::reveal_page() {
  reveal(state_.lesson);
  show_revealed();
}

void Workspace::show_revealed() {
  const lessons::Page* page = state_.lesson.open_page();
  if (page == nullptr || state_.lesson.answer() == nullptr) return;
  if (page->revealed == page->experiment) {
    // A point that was asked for is where the cursor goes.
    if (page->question->kind == lessons::QuestionKind::point && state_.has_trace() &&
        state_.block->experiment == state_.experiment)
      if (const auto point = lessons::point_of(*page->question, *state_.block)) to_instruction(*point);
  } else {
    // The same access stays at the cursor, so that the class sees what became of it.
    set_experiment(page->revealed);
  }
  state_.lesson.commands = page->reveal_show;
  choose_recording(state_.timings, page->revealed, state_.lesson.commands);
}

void Workspace::act_on_lesson(const LessonRequest& request) {
  LessonState& state = state_.lesson;
  switch (request.action) {
    case LessonRequest::Action::contents:
      state.contents = true;
      return;
    case LessonRequest::Action::open_page:
      return open_page(request.lesson, request.page);
    case LessonRequest::Action::next:
      return turn_page(1);
    case LessonRequest::Action::previous:
      return turn_page(-1);
    case LessonRequest::Action::draft:
      state.draft = request.draft;
      state.typed = request.typed;
      state.has_choice = request.has_choice;
      state.trouble.clear();
      return;
    case LessonRequest::Action::answer:
      return answer_page();
    case LessonRequest::Action::reveal:
      return reveal_page();
    case LessonRequest::Action::fewer:
      return take_back(state, request.draft);
    case LessonRequest::Action::experiment:
      state.experiment = !state.experiment;
      return;
    case LessonRequest::Action::close:
      state.visible = false;
      return;
  }
}

// Without NVRTC the page's machine code may not be there: shows the nearest that ships, and says so.
bool Workspace::show_instead() {
  LessonState& state = state_.lesson;
  const lessons::Page* page = state.open_page();
  if (!state.visible || page == nullptr || worker_.busy()) return false;
  if (!state_.failure || state_.failure->stage != experiment::Stage::compile) return false;
  const Experiment& failed = state_.experiment;
  if (failed != page->experiment && failed != page->revealed && state.unavailable.empty()) return false;
  Experiment next = failed;
  if (!next.inputs.empty())
    next.inputs.clear();
  else if (!next.toggles.empty())
    next.toggles.clear();
  else
    return false;
  const catalog::Kernel* kernel = catalog_.find(next.kernel);
  const std::string title = kernel == nullptr ? next.kernel : kernel->title;
  state.unavailable =
      next.toggles.empty()
          ? fmt::format(
                "This page's machine code needs NVRTC, which is not here. Shown instead: {} as it comes. "
                "The figures in the text were computed when the page was made.",
                title)
          : fmt::format(
                "This page's machine code needs NVRTC, which is not here. Shown instead: {} without the "
                "typed expression. The figures in the text were computed when the page was made.",
                title);
  set_experiment(std::move(next));
  return true;
}

std::string Workspace::advance_lesson(double seconds) {
  if (lessons_.update(state_.lesson, seconds)) open_page(state_.lesson.lesson, state_.lesson.page);
  LessonState& state = state_.lesson;
  if (std::string left_out = take_out_foreign(state.commands, "The page"); !left_out.empty())
    state_.note = std::move(left_out);
  if (show_instead()) return "";
  if (state.settled()) return "";
  const bool waits = worker_.busy() || state_.progress.has_value();
  // The change from the page before is none that anybody made.
  if (!waits && std::exchange(state.begins, false)) state_.numbers.before.reset();
  while (!state.commands.empty() && is_on(state_.commands, state.commands.front()))
    state.commands.erase(state.commands.begin());
  if (!state.commands.empty()) {
    const std::string& next = state.commands.front();
    if (needs_figures(next)) {
      if (state.values == nullptr && !lessons_.busy()) lessons_.want_figures(state, catalog_);  // cancelled
      return state.values == nullptr ? "" : next;
    }
    return waits && !needs_no_results(next) ? "" : next;
  }
  if (!waits && std::exchange(state.reveals, false)) show_revealed();
  return "";
}

Result<void> Workspace::open_page_named(const std::string& name) {
  open_lessons();
  const size_t slash = std::min(name.find('/'), name.size());
  const auto& list = state_.lesson.lessons->lessons;
  const auto lesson = std::ranges::find(list, name.substr(0, slash), &lessons::Lesson::id);
  if (lesson == list.end())
    return fail("There is no lesson \"{}\"; \"gemmscope lessons\" lists them.", name.substr(0, slash));
  size_t page = 0;
  if (slash < name.size()) {
    const auto found = std::ranges::find(lesson->pages, name.substr(slash + 1), &lessons::Page::id);
    if (found == lesson->pages.end())
      return fail("The lesson {} has no page \"{}\".", lesson->id, name.substr(slash + 1));
    page = static_cast<size_t>(found - lesson->pages.begin());
  }
  open_page(static_cast<size_t>(lesson - list.begin()), page);
  return {};
}

}  // namespace gemmscope::session
