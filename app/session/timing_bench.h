// Keeps the timings of the workspace: which variants race, what the GPU measures of them, and why nothing is
// measured. The measuring itself has a thread of its own (experiment/live_timing.h); nothing here waits for
// it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "experiment/devices.h"
#include "experiment/intensity_counter.h"
#include "experiment/live_model.h"
#include "experiment/live_timing.h"
#include "session/view_state.h"

namespace gemmscope::session {

class TimingBench {
 public:
  // Makes the device for the runner with this command line.
  using MakeDevice = std::function<Result<std::unique_ptr<experiment::TimingDevice>>(const std::string&)>;
  // `wake` is called from another thread when something was measured.
  explicit TimingBench(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Allows measuring from now on; the window calls it after its first picture, and pictures without a window
  // never do. `make_device` is called when the timings are first opened.
  void allow(MakeDevice make_device) { make_device_ = std::move(make_device); }
  // Allows counting and modelling for the roofline alone, for a picture without a window.
  void allow_counting() { counts_ = true; }
  // Call it once a frame: it notes the current variant, takes new results, and passes on a new choice.
  void update(ViewState& state);
  // Ends what is counted for the roofline and what is modelled, for the variants that race now.
  void cancel(TimingState& timings);
  // Restarts the runner in the next update, whatever its state.
  void try_again(TimingState& timings) { change_runner(timings); }

 private:
  // Identifies what is being measured (or counted). A different key restarts it.
  struct Key {
    std::vector<experiment::VariantKey> racers;
    std::vector<std::string> sources;  // one for each racer
    uint64_t catalog_version = 0;      // when the sources were copied
    catalog::Problem problem;
    bool flush_l2 = false;
    int compute_capability = 0;  // only for what is counted for the roofline, or modelled
    bool same_problem(const catalog::Problem& other, int other_capability) const;
  };
  void measure(ViewState& state);
  void stop(TimingState& timings);
  void change_runner(TimingState& timings);
  void retire();
  void take_newest(TimingState& timings);
  void count(ViewState& state);
  // Models the variants beside the shown times, or in place of them.
  void model(ViewState& state);
  void take_modelled(TimingState& timings);
  void read_devices(TimingState& timings);
  void find_rates(ViewState& state);
  void forget_counted(TimingState& timings, const Key& key) const;
  static Key key_of(std::vector<experiment::VariantKey> racers, const catalog::Problem& problem,
                    int compute_capability, const ViewState& state);
  // Whether the key still holds for these values. Compares sources only after a file was read anew.
  static bool holds(Key& key, const std::vector<experiment::VariantKey>& racers,
                    const catalog::Problem& problem, int compute_capability, const ViewState& state);

  std::function<void()> wake_;
  MakeDevice make_device_;
  bool counts_ = false;
  std::unique_ptr<experiment::LiveTiming> live_;
  std::string runner_;  // the command line that `live_` was made with
  // There is no GPU. It is not tried again until the user switches measuring or the runner changes.
  bool given_up_ = false;
  bool wanted_ = false;                     // the timings were opened
  std::vector<std::future<void>> retired_;  // measurings that are ending, which takes long if a runner hangs
  std::optional<Key> running_;
  std::unique_ptr<experiment::IntensityCounter> counter_;
  std::optional<Key> counting_;
  bool count_cancelled_ = false, model_cancelled_ = false;  // until another key
  std::unique_ptr<experiment::LiveModel> model_;
  std::optional<sm::DeviceList> devices_;  // read when the timings are first opened
  std::optional<Key> modelling_;
  sm::SmConfig modelled_device_;
  std::vector<experiment::ModelledVariant> modelled_;
};

}  // namespace gemmscope::session
