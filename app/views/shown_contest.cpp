#include "views/shown_contest.h"

#include <fmt/format.h>

#include "experiment/live_model.h"
#include "experiment/size_sweep.h"

namespace gemmscope::views {

using experiment::Provenance;
using experiment::Timings;

bool ShownContest::update(const session::TimingState& state, const catalog::Problem& problem) {
  const Timings* const shown = session::shown_timings(state, problem);
  // `version` also changes with the racers, and so with the ticked kernels.
  const bool same = shown == source_ && state.version == version_ && state.choice.race == race_ &&
                    problem.m == problem_.m && problem.n == problem_.n && problem.k == problem_.k;
  if (same) return shown != nullptr;
  source_ = timings_ = shown;
  kept_ = shown == state.live.get() ? state.live : shown == state.modelled.get() ? state.modelled : nullptr;
  version_ = state.version;
  race_ = state.choice.race;
  problem_ = problem;
  if (shown == nullptr) return false;
  const bool beside = state.modelled != nullptr && shown != state.modelled.get() &&
                      experiment::is_same_contest(*shown, *state.modelled);
  merged_ = beside ? experiment::with_modelled(*shown, *state.modelled, state.racers) : Timings{};
  if (beside) timings_ = &merged_;
  // A recording has its own ladder, whatever the catalogue holds by now.
  const bool all = race_ == experiment::Race::ladder && shown->provenance == Provenance::recorded;
  contest_ = scenes::make_contest(*timings_, state.history,
                                  all ? std::vector<experiment::VariantKey>{} : state.racers);
  const int recording = session::shown_recording(state, problem);
  if (recording < 0) return true;
  const auto index = static_cast<size_t>(recording);
  if (shown->of_sweep)
    contest_.size = fmt::format("{} sizes", experiment::sweep_around(state.recordings, index).size());
  else if (contest_.remark.empty())
    contest_.remark = experiment::size_remark(state.recordings, index, problem);
  return true;
}

}  // namespace gemmscope::views
