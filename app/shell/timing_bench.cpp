#include "shell/timing_bench.h"

namespace gemmscope::shell {

bool TimingBench::Key::same(const Key& other) const {
  return racers == other.racers && sources == other.sources && problem.m == other.problem.m &&
         problem.n == other.problem.n && problem.k == other.problem.k &&
         problem.alpha == other.problem.alpha && problem.beta == other.problem.beta &&
         flush_l2 == other.flush_l2;
}

TimingBench::Key TimingBench::key_of(const views::ViewState& state) const {
  Key key;
  key.racers = state.timings.racers;
  for (const scenes::VariantKey& racer : key.racers)
    key.sources.push_back(state.catalog->find(racer.kernel)->source);
  key.problem = state.experiment.problem;
  key.flush_l2 = state.timings.choice.flush_l2;
  return key;
}

void TimingBench::update(views::ViewState& state) {
  views::TimingState& timings = state.timings;
  const scenes::VariantKey now = scenes::key_of(state.experiment);
  if (timings.history.keys().empty() || !(timings.history.keys().front() == now)) {
    timings.history.visit(now);
    ++timings.version;
  }
  std::vector<scenes::VariantKey> racers = scenes::racers(timings.choice, timings.history, *state.catalog);
  if (racers != timings.racers) {
    timings.racers = std::move(racers);
    ++timings.version;
  }
  wanted_ |= timings.visible;
  if (!timings.choice.measure)
    stop(timings);
  else if (make_device_ && wanted_)
    measure(state);
  if (live_ == nullptr) return;
  if (std::shared_ptr<const experiment::Timings> newest = live_->take()) {
    timings.live = std::move(newest);
    timings.trouble = timings.live->trouble.empty() ? timings.live->notice : timings.live->trouble;
    ++timings.version;
  }
  timings.measuring = live_->busy();
}

void TimingBench::measure(views::ViewState& state) {
  views::TimingState& timings = state.timings;
  if (live_ == nullptr) {
    if (!no_device_.empty()) return;
    Result<std::unique_ptr<experiment::TimingDevice>> device = make_device_();
    if (!device) {
      no_device_ = timings.trouble = device.error().message;
      return;
    }
    live_ = std::make_unique<experiment::LiveTiming>(std::move(*device), wake_);
  }
  Key key = key_of(state);
  if (running_ && running_->same(key)) return;
  experiment::TimingJob job;
  for (const scenes::VariantKey& racer : key.racers)
    job.variants.push_back({*state.catalog->find(racer.kernel), racer.toggles});
  job.problem = key.problem;
  job.options.flush_l2 = key.flush_l2;
  running_ = std::move(key);
  live_->start(std::move(job));
}

// What was measured stays on the screen.
void TimingBench::stop(views::TimingState& timings) {
  no_device_.clear();
  if (!running_) return;
  running_.reset();
  if (live_ != nullptr) live_->stop();
  timings.measuring = false;
}

}  // namespace gemmscope::shell
