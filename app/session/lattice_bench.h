// Keeps the ablation lattice of the workspace: asks for it while it is shown, drops it when the experiment
// changes. It is computed on other threads (experiment/live_lattice.h); nothing here waits for them.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "experiment/devices.h"
#include "experiment/live_lattice.h"
#include "session/view_state.h"

namespace gemmscope::session {

class LatticeBench {
 public:
  // `wake` is called from another thread when points were computed.
  explicit LatticeBench(std::function<void()> wake) : wake_(std::move(wake)) {}
  // Call it once a frame, after the timings' update.
  void update(ViewState& state);
  // The points that were computed stay. It goes on when the user asks for more, or changes the experiment.
  void cancel(LatticeState& lattice);

 private:
  // What the lattice belongs to. A different key drops it.
  struct Key {
    experiment::Experiment around;
    std::string source, device;
    int rounds = 0;
    bool operator==(const Key&) const = default;
  };
  void drop(LatticeState& lattice);
  void want(ViewState& state, const catalog::Kernel& kernel, Key key);
  void take(ViewState& state);

  std::function<void()> wake_;
  std::unique_ptr<experiment::LiveLattice> live_;
  std::optional<sm::DeviceList> devices_;  // read when the lattice is first shown
  std::optional<Key> key_;
  std::shared_ptr<const experiment::Lattice> newest_;  // without measured and recorded times
  uint64_t timings_version_ = 0;                       // when those were added
};

}  // namespace gemmscope::session
