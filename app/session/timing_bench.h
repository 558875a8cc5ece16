// Keeps the timings of the workspace: who is in the race, what the GPU measures of them, and why nothing is.
// The measuring itself is a thread of its own (experiment/live_timing.h); nothing here waits for it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "experiment/intensity_counter.h"
#include "experiment/live_timing.h"
#include "session/view_state.h"

namespace gemmscope::session {

class TimingBench {
 public:
  // With the runner of this command line.
  using MakeDevice = std::function<Result<std::unique_ptr<experiment::TimingDevice>>(const std::string&)>;
  // `wake` is called from another thread when something was measured.
  explicit TimingBench(std::function<void()> wake) : wake_(std::move(wake)) {}

  // From now on variants may be measured: the window calls it once its first picture is there. Pictures
  // without a window never do. `make_device` is called when the timings are first looked at.
  void allow(MakeDevice make_device) { make_device_ = std::move(make_device); }
  // Once a frame: notes the current variant, takes what was measured, and hands on a new choice.
  void update(ViewState& state);
  // Starts the runner anew in the next update, whatever came of it before.
  void try_again(TimingState& timings) { change_runner(timings); }

 private:
  // What the measuring under way is of; another one starts it anew.
  struct Key {
    std::vector<experiment::VariantKey> racers;
    std::vector<std::string> sources;  // of the racers
    uint64_t catalog_version = 0;      // when they were copied
    catalog::Problem problem;
    bool flush_l2 = false;
    int compute_capability = 0;  // of what is counted for the roofline
    bool same_problem(const catalog::Problem& other, int other_capability) const;
  };
  void measure(ViewState& state);
  void stop(TimingState& timings);
  void change_runner(TimingState& timings);
  void retire();
  void take_newest(TimingState& timings);
  void count(ViewState& state);
  void forget_counted(TimingState& timings, const Key& key) const;
  static Key key_of(std::vector<experiment::VariantKey> racers, const catalog::Problem& problem,
                    int compute_capability, const ViewState& state);
  // Whether a new key would be the same. Sources are looked at only after a file was read anew.
  static bool holds(Key& key, const std::vector<experiment::VariantKey>& racers,
                    const catalog::Problem& problem, int compute_capability, const ViewState& state);

  std::function<void()> wake_;
  MakeDevice make_device_;
  std::unique_ptr<experiment::LiveTiming> live_;
  std::string runner_;  // the command line that `live_` was made with
  bool given_up_ =
      false;             // there is no GPU: not tried again until the switch is turned or the runner changes
  bool wanted_ = false;  // the timings were looked at
  std::vector<std::future<void>> retired_;  // measurings that end; that takes a while where a runner hangs
  std::optional<Key> running_;
  std::unique_ptr<experiment::IntensityCounter> counter_;
  std::optional<Key> counting_;
};

}  // namespace gemmscope::session
