#include "views/shown_contest.h"

namespace gemmscope::views {

using experiment::Provenance;
using experiment::Timings;

bool ShownContest::update(const session::TimingState& state, const catalog::Problem& problem) {
  const Timings* const shown = session::shown_timings(state, problem);
  // `version` also changes with the racers, and so with the ticked kernels.
  const bool same = shown == timings_ && state.version == version_ && state.choice.race == race_ &&
                    problem.m == problem_.m && problem.n == problem_.n && problem.k == problem_.k;
  if (same) return shown != nullptr;
  timings_ = shown;
  kept_ = shown == state.live.get() ? state.live : nullptr;
  version_ = state.version;
  race_ = state.choice.race;
  problem_ = problem;
  if (shown == nullptr) return false;
  // A recording has its own ladder, whatever the catalogue holds by now.
  const bool all = race_ == experiment::Race::ladder && shown->provenance != Provenance::measured;
  contest_ =
      scenes::make_contest(*shown, state.history, all ? std::vector<experiment::VariantKey>{} : state.racers);
  if (contest_.provenance == Provenance::recorded && contest_.remark.empty())
    contest_.remark = experiment::size_remark(state.recordings,
                                              static_cast<size_t>(shown - state.recordings.data()), problem);
  return true;
}

}  // namespace gemmscope::views
