// The contest that the timings show, recomputed only when its inputs have changed.
#pragma once

#include <memory>

#include "scenes/contest.h"
#include "session/timing_state.h"

namespace gemmscope::views {

class ShownContest {
 public:
  // `problem` is the user's. Returns false when there is nothing to show.
  bool update(const session::TimingState& state, const catalog::Problem& problem);
  // The timings of the last update that returned true.
  const experiment::Timings& timings() const { return *timings_; }
  const scenes::Contest& contest() const { return contest_; }

 private:
  const experiment::Timings* source_ = nullptr;      // of the state
  const experiment::Timings* timings_ = nullptr;     // the same, or `merged_`
  std::shared_ptr<const experiment::Timings> kept_;  // while `source_` is measured or modelled
  experiment::Timings merged_;                       // with the modelled times beside
  uint64_t version_ = 0;
  experiment::Race race_ = experiment::Race::ladder;
  catalog::Problem problem_;
  scenes::Contest contest_;
};

}  // namespace gemmscope::views
