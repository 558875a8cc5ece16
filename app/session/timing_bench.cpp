#include "session/timing_bench.h"

#include <algorithm>

namespace gemmscope::session {

bool TimingBench::Key::same_problem(const catalog::Problem& other, int other_capability) const {
  return problem.m == other.m && problem.n == other.n && problem.k == other.k &&
         problem.alpha == other.alpha && problem.beta == other.beta && compute_capability == other_capability;
}

TimingBench::Key TimingBench::key_of(std::vector<experiment::VariantKey> racers,
                                     const catalog::Problem& problem, int compute_capability,
                                     const ViewState& state) {
  Key key;
  key.racers = std::move(racers);
  for (const experiment::VariantKey& racer : key.racers)
    key.sources.push_back(state.catalog->find(racer.kernel)->source);
  key.catalog_version = state.catalog_version;
  key.problem = problem;
  key.flush_l2 = state.timings.choice.flush_l2;
  key.compute_capability = compute_capability;
  return key;
}

bool TimingBench::holds(Key& key, const std::vector<experiment::VariantKey>& racers,
                        const catalog::Problem& problem, int compute_capability, const ViewState& state) {
  if (racers != key.racers || key.flush_l2 != state.timings.choice.flush_l2 ||
      !key.same_problem(problem, compute_capability))
    return false;
  if (key.catalog_version == state.catalog_version) return true;
  for (size_t i = 0; i < racers.size(); ++i)
    if (state.catalog->find(racers[i].kernel)->source != key.sources[i]) return false;
  key.catalog_version = state.catalog_version;
  return true;
}

void TimingBench::update(ViewState& state) {
  TimingState& timings = state.timings;
  const experiment::VariantKey now = experiment::key_of(state.experiment);
  if (timings.history.keys().empty() || !(timings.history.keys().front() == now)) {
    timings.history.visit(now);
    ++timings.version;
  }
  std::vector<experiment::VariantKey> racers =
      experiment::racers(timings.choice, timings.history, *state.catalog);
  if (racers != timings.racers) {
    timings.racers = std::move(racers);
    ++timings.version;
  }
  wanted_ |= timings.visible;
  timings.can_measure = make_device_ != nullptr;
  if (timings.gpu_runner != runner_) change_runner(timings);
  if (!timings.choice.measure)
    stop(timings);
  else if (make_device_ && wanted_)
    measure(state);
  if (timings.visible) find_rates(state);
  if ((make_device_ || counts_) && timings.visible) {
    if (timings.roofline_shown)
      count(state);
    else
      timings.counting = {};
    model(state);
  }
  if (live_ != nullptr) take_newest(timings);
}

void TimingBench::take_newest(TimingState& timings) {
  if (std::shared_ptr<const experiment::Timings> newest = live_->take()) {
    timings.live = std::move(newest);
    timings.trouble = timings.live->trouble;
    given_up_ = !timings.trouble.empty() && timings.live->device.name.empty();
    ++timings.version;
  }
  timings.measuring = live_->busy();
}

// Drops all results: what another GPU measured says nothing about this one.
void TimingBench::change_runner(TimingState& timings) {
  runner_ = timings.gpu_runner;
  retire();
  timings.live = nullptr;
  timings.trouble.clear();
  timings.measuring = given_up_ = false;
  ++timings.version;
}

// Ends the old measuring in another thread: killing a runner may take long, and no frame waits for it.
void TimingBench::retire() {
  running_.reset();
  std::erase_if(retired_, [](const std::future<void>& end) {
    return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  if (live_ != nullptr)
    retired_.push_back(std::async(std::launch::async, [old = std::move(live_)]() mutable { old.reset(); }));
}

void TimingBench::measure(ViewState& state) {
  TimingState& timings = state.timings;
  if (given_up_) return;
  if (live_ == nullptr) {
    Result<std::unique_ptr<experiment::TimingDevice>> device = make_device_(runner_);
    if (!device) {
      timings.trouble = device.error().message;
      given_up_ = true;
      return;
    }
    live_ = std::make_unique<experiment::LiveTiming>(std::move(*device), wake_);
  }
  const catalog::Problem& problem = state.experiment.problem;
  if (timings.racers.empty() || (running_ && holds(*running_, timings.racers, problem, 0, state))) return;
  Key key = key_of(timings.racers, problem, 0, state);
  experiment::TimingJob job;
  for (const experiment::VariantKey& racer : key.racers)
    job.variants.push_back({*state.catalog->find(racer.kernel), racer.toggles, {}, racer.changes});
  job.problem = key.problem;
  job.options.flush_l2 = key.flush_l2;
  running_ = std::move(key);
  live_->start(std::move(job));
}

// Drops counts that no longer hold. A count holds as long as source, problem and GPU stay the same.
void TimingBench::forget_counted(TimingState& timings, const Key& key) const {
  const auto source_in = [](const Key& of, const experiment::VariantKey& variant) {
    const auto found = std::find(of.racers.begin(), of.racers.end(), variant);
    return found == of.racers.end() ? std::string()
                                    : of.sources[static_cast<size_t>(found - of.racers.begin())];
  };
  const bool same = counting_ && counting_->same_problem(key.problem, key.compute_capability);
  std::erase_if(timings.counted, [&](const scenes::CountedIntensity& c) {
    return !same || source_in(*counting_, c.key) != source_in(key, c.key);
  });
}

// Counts the traffic of the variants that are shown, for the roofline, at their problem and for their GPU.
void TimingBench::count(ViewState& state) {
  TimingState& timings = state.timings;
  const experiment::Timings* shown = shown_timings(timings, state.experiment.problem);
  if (shown == nullptr || shown->problem.m <= 0) return;
  std::vector<experiment::VariantKey> keys;
  for (const experiment::TimedVariant& v : shown->variants)
    if (!v.is_library && v.is_product && state.catalog->find(v.id) != nullptr)
      keys.push_back(experiment::key_of(v));
  const int capability = shown->device.compute_capability;
  if (counter_ == nullptr) counter_ = std::make_unique<experiment::IntensityCounter>(wake_);
  if (!counting_ || !holds(*counting_, keys, shown->problem, capability, state)) {
    Key key = key_of(std::move(keys), shown->problem, capability, state);
    forget_counted(timings, key);
    std::vector<experiment::TimedKernel> missing;
    for (const experiment::VariantKey& variant : key.racers)
      if (std::none_of(timings.counted.begin(), timings.counted.end(),
                       [&](const scenes::CountedIntensity& c) { return c.key == variant; }))
        missing.push_back({*state.catalog->find(variant.kernel), variant.toggles, {}, variant.changes});
    const isa::Arch arch = experiment::arch_for(capability).value_or(state.experiment.arch);
    counter_->want(std::move(missing), key.problem, arch);
    counting_ = std::move(key);
    count_cancelled_ = false;
  }
  for (experiment::CountedTraffic& counted : counter_->take())
    timings.counted.push_back(
        {{std::move(counted.kernel), std::move(counted.toggles), std::move(counted.changes)},
         counted.flop_per_byte});
  const auto counted = static_cast<int>(timings.counted.size());
  timings.counting = {counted, count_cancelled_ ? counted : static_cast<int>(counting_->racers.size())};
}

void TimingBench::cancel(TimingState& timings) {
  if (!timings.counting.finished() && counter_ != nullptr && counting_) {
    counter_->want({}, counting_->problem, isa::Arch::sm_90);
    count_cancelled_ = true;
  }
  if (timings.modelling && model_ != nullptr) {
    model_->cancel();
    model_cancelled_ = true;
  }
}

// Results stay on the screen. A runner that has not answered is not waited for: behind a queue of jobs that
// may take long.
void TimingBench::stop(TimingState& timings) {
  given_up_ = false;
  timings.trouble.clear();
  if (!running_) return;
  running_.reset();
  timings.measuring = false;
  const bool answered = timings.live != nullptr && !timings.live->device.name.empty();
  if (answered && live_ != nullptr)
    live_->stop();
  else
    retire();
}

}  // namespace gemmscope::session
