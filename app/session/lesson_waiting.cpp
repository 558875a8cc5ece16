#include "session/lesson_waiting.h"

#include <algorithm>

namespace gemmscope::session {

bool needs_figures(std::string_view command) {
  return command == "lesson.answer" || command == "lesson.reveal";
}

bool waits_for_figures(const LessonState& state) {
  return std::ranges::any_of(state.commands, needs_figures);
}

void run_with_figures(LessonState& state, const char* command) {
  state.trouble = "The answer is being computed, and shown as soon as it is there.";
  if (!waits_for_figures(state)) state.commands.emplace_back(command);
}

void stop_waiting(LessonState& state) {
  if (std::erase_if(state.commands, needs_figures) > 0) state.trouble.clear();
}

bool needs_no_results(std::string_view command) {
  return command.starts_with("timing.") || command == "view.code";
}

}  // namespace gemmscope::session
