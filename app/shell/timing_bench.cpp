#include "shell/timing_bench.h"

#include <algorithm>

namespace gemmscope::shell {

bool TimingBench::Key::same(const Key& other) const {
  return racers == other.racers && sources == other.sources && flush_l2 == other.flush_l2 &&
         same_problem(other);
}

bool TimingBench::Key::same_problem(const Key& other) const {
  return problem.m == other.problem.m && problem.n == other.problem.n && problem.k == other.problem.k &&
         problem.alpha == other.problem.alpha && problem.beta == other.problem.beta &&
         compute_capability == other.compute_capability;
}

TimingBench::Key TimingBench::key_of(std::vector<scenes::VariantKey> racers, const catalog::Problem& problem,
                                     const views::ViewState& state) {
  Key key;
  key.racers = std::move(racers);
  for (const scenes::VariantKey& racer : key.racers)
    key.sources.push_back(state.catalog->find(racer.kernel)->source);
  key.problem = problem;
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
  if (make_device_ && timings.visible) count(state);
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
  Key key = key_of(timings.racers, state.experiment.problem, state);
  if (key.racers.empty() || (running_ && running_->same(key))) return;
  experiment::TimingJob job;
  for (const scenes::VariantKey& racer : key.racers)
    job.variants.push_back({*state.catalog->find(racer.kernel), racer.toggles});
  job.problem = key.problem;
  job.options.flush_l2 = key.flush_l2;
  running_ = std::move(key);
  live_->start(std::move(job));
}

// What was counted stays true of the same source, problem and GPU.
void TimingBench::forget_counted(views::TimingState& timings, const Key& key) const {
  const auto source_in = [](const Key& of, const scenes::VariantKey& variant) {
    const auto found = std::find(of.racers.begin(), of.racers.end(), variant);
    return found == of.racers.end() ? std::string()
                                    : of.sources[static_cast<size_t>(found - of.racers.begin())];
  };
  const bool same = counting_ && counting_->same_problem(key);
  std::erase_if(timings.counted, [&](const scenes::CountedIntensity& c) {
    return !same || source_in(*counting_, c.key) != source_in(key, c.key);
  });
}

// For the roofline: of what is shown, at its problem and for its GPU.
void TimingBench::count(views::ViewState& state) {
  views::TimingState& timings = state.timings;
  const experiment::Timings* shown = views::shown_timings(timings, state.experiment.problem);
  if (shown == nullptr || shown->problem.m <= 0) return;
  std::vector<scenes::VariantKey> keys;
  for (const experiment::TimedVariant& v : shown->variants)
    if (!v.is_library && v.is_product && state.catalog->find(v.id) != nullptr)
      keys.push_back(scenes::key_of(v));
  Key key = key_of(std::move(keys), shown->problem, state);
  key.compute_capability = shown->device.compute_capability;
  if (counter_ == nullptr) counter_ = std::make_unique<experiment::IntensityCounter>(wake_);
  if (!counting_ || !counting_->same(key)) {
    forget_counted(timings, key);
    std::vector<experiment::TimingChoice> missing;
    for (const scenes::VariantKey& variant : key.racers)
      if (std::none_of(timings.counted.begin(), timings.counted.end(),
                       [&](const scenes::CountedIntensity& c) { return c.key == variant; }))
        missing.push_back({*state.catalog->find(variant.kernel), variant.toggles});
    const isa::Arch arch =
        experiment::arch_for(shown->device.compute_capability).value_or(state.experiment.arch);
    counter_->want(std::move(missing), key.problem, arch);
    counting_ = std::move(key);
  }
  for (experiment::CountedTraffic& counted : counter_->take())
    timings.counted.push_back(
        {{std::move(counted.kernel), std::move(counted.toggles)}, counted.flop_per_byte});
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
