// What explains: "Show me", and the lessons that the cards at the start open.
#include "scenes/first_record.h"
#include "session/workspace.h"

namespace gemmscope::session {

using experiment::Experiment;

void Workspace::show_me() {
  const catalog::Kernel* const kernel = catalog_.find(state_.experiment.kernel);
  if (kernel == nullptr) return;
  state_.note = state_.commands == nullptr ? "" : show_me_trouble(*kernel, *state_.commands);
  if (!state_.note.empty()) return;
  pause();
  Experiment plain = state_.experiment;
  plain.toggles.clear();
  plain.inputs.clear();
  set_experiment(std::move(plain));
  start_show_me(state_, *kernel);
}

void Workspace::open_lesson(const std::string& kernel) {
  pause();
  stop_show_me();
  state_.toggle.clear();
  Experiment lesson;
  lesson.kernel = kernel;
  lesson.arch = state_.experiment.arch;
  const bool shown = lesson == state_.experiment && state_.has_trace();
  set_experiment(std::move(lesson));
  opens_anew_ = !shown;  // what the cursor showed has nothing to do with the lesson
  if (shown)
    seek({scenes::first_record_to_show(*state_.block, state_.playback.warp), scenes::kAllWavefronts});
}

}  // namespace gemmscope::session
