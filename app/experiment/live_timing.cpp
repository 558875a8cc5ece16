#include "experiment/live_timing.h"

namespace gemmscope::experiment {
namespace {

// Each post copies all samples, and nobody looks more often than once a frame.
constexpr std::chrono::milliseconds kBetweenPosts{30};

// Once each variant has kQuickSamples, a round begins ten times a second. Then 600 samples are a minute, and
// the GPU has time for the window and for other programs that draw on it.
constexpr std::chrono::milliseconds kRound{100};
constexpr size_t kQuickSamples = 30;

}  // namespace

LiveTiming::LiveTiming(std::unique_ptr<TimingDevice> device, std::function<void()> wake,
                       CompileFunction compile)
    : device_(std::move(device)),
      wake_(std::move(wake)),
      compile_(std::move(compile)),
      thread_([this] { loop(); }) {}

LiveTiming::~LiveTiming() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ++generation_;
    cancelled_ = true;
  }
  ready_.notify_one();
  thread_.join();
}

void LiveTiming::start(TimingJob job) {
  {
    const std::lock_guard lock(mutex_);
    ++generation_;
    next_ = std::move(job);
    newest_.reset();
    busy_ = true;
  }
  ready_.notify_one();
}

void LiveTiming::stop() {
  {
    const std::lock_guard lock(mutex_);
    ++generation_;
    next_.reset();
    stop_wanted_ = true;
    busy_ = false;
  }
  ready_.notify_one();
}

std::shared_ptr<const Timings> LiveTiming::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(newest_, nullptr);
}

void LiveTiming::post(uint64_t generation) {
  auto copy = std::make_shared<const Timings>(run_->timings());
  {
    const std::lock_guard lock(mutex_);
    if (generation != generation_) return;
    newest_ = std::move(copy);
  }
  wake_();
}

void LiveTiming::rest(uint64_t generation, std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  ready_.wait_until(lock, until, [&] { return generation != generation_; });
}

bool LiveTiming::superseded(uint64_t generation) {
  const std::lock_guard lock(mutex_);
  return generation != generation_;
}

void LiveTiming::loop() {
  for (;;) {
    std::optional<TimingJob> job;
    uint64_t generation = 0;
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return stopping_ || stop_wanted_ || next_.has_value(); });
      if (stopping_) return;
      stop_wanted_ = false;
      job = std::exchange(next_, std::nullopt);
      generation = generation_;
    }
    if (!job) {
      if (run_ != nullptr) run_->release_all();
      continue;
    }
    measure(std::move(*job), generation);
    const std::lock_guard lock(mutex_);
    if (generation == generation_) busy_ = false;
  }
}

void LiveTiming::measure(TimingJob job, uint64_t generation) {
  run_ = std::make_unique<TimingRun>(*device_, compile_, std::move(job), std::move(run_));
  post(generation);
  auto posted = std::chrono::steady_clock::now(), round_began = posted;
  for (size_t rounds = 0; !superseded(generation) && run_->step(cancelled_); rounds = run_->rounds()) {
    const bool new_round = run_->rounds() != rounds;
    const bool rests = new_round && run_->fewest_samples() >= kQuickSamples;
    const auto now = std::chrono::steady_clock::now();
    if (rests || now - posted >= kBetweenPosts) {
      posted = now;
      post(generation);
    }
    if (rests) rest(generation, round_began + kRound);
    if (new_round) round_began = std::chrono::steady_clock::now();
  }
  post(generation);
}

}  // namespace gemmscope::experiment
