#include "session/timing_state.h"

#include <algorithm>

namespace gemmscope::session {

const experiment::Timings* shown_timings(const TimingState& state, const catalog::Problem& problem) {
  if (state.choice.modelled && state.modelled != nullptr) return state.modelled.get();
  if (state.choice.recording >= 0 && static_cast<size_t>(state.choice.recording) < state.recordings.size())
    return &state.recordings[static_cast<size_t>(state.choice.recording)];
  if (state.live != nullptr) {
    const bool any = std::any_of(state.live->variants.begin(), state.live->variants.end(),
                                 [](const experiment::TimedVariant& v) { return !v.samples.empty(); });
    if (any || (state.measuring && state.live->trouble.empty())) return state.live.get();
  }
  const int nearest = experiment::nearest_recording(state.recordings, problem);
  return nearest < 0 ? state.modelled.get() : &state.recordings[static_cast<size_t>(nearest)];
}

int shown_recording(const TimingState& state, const catalog::Problem& problem) {
  const experiment::Timings* const shown = shown_timings(state, problem);
  const auto found = std::ranges::find(state.recordings, shown, [](const auto& r) { return &r; });
  return found == state.recordings.end() ? -1 : static_cast<int>(found - state.recordings.begin());
}

}  // namespace gemmscope::session
