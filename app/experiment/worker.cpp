#include "experiment/worker.h"

#include "base/give_back_memory.h"
#include "experiment/changed_code.h"
#include "experiment/grid_sampling.h"

namespace gemmscope::experiment {

Worker::Worker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { loop(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    cancelled_ = true;
  }
  ready_.notify_one();
  thread_.join();
}

uint64_t Worker::submit(Job job) {
  uint64_t generation = 0;
  {
    const std::lock_guard lock(mutex_);
    generation = ++generation_;
    next_ = std::move(job);
    cancelled_ = true;  // the loop clears it when it takes the job
    busy_ = true;
  }
  ready_.notify_one();
  return generation;
}

uint64_t Worker::cancel() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  cancelled_ = true;
  if (!running_) busy_ = false;
  updates_.clear();
  return ++generation_;
}

std::vector<Update> Worker::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(updates_, {});
}

void Worker::post(uint64_t generation, decltype(Update::what) what) {
  {
    const std::lock_guard lock(mutex_);
    if (generation != generation_) return;
    updates_.push_back({generation, std::move(what)});
  }
  wake_();
}

void Worker::loop() {
  for (;;) {
    Job job;
    uint64_t generation = 0;
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return stopping_ || next_.has_value(); });
      if (stopping_) return;
      job = std::move(*next_);
      next_.reset();
      generation = generation_;
      cancelled_ = false;
      running_ = true;
    }
    run(job, generation);
    give_back_memory();
    const std::lock_guard lock(mutex_);
    running_ = false;
    if (!next_) busy_ = false;
  }
}

void Worker::post_offer(const Job& job, uint64_t generation) {
  if (offer_ == nullptr || !offer_->is_of(job.kernel, job.experiment))
    offer_ = CodeOffer::of(job.kernel, job.experiment);
  if (offer_ != nullptr) post(generation, offer_);
}

void Worker::run(const Job& job, uint64_t generation) {
  std::shared_ptr<const CompiledKernel> compiled = job.compiled;
  if (compiled == nullptr) {
    post(generation, Progress{Stage::compile, 0});
    post_offer(job, generation);
    const ScheduleWatch watch{&cancelled_, [&](double share) {
                                post(generation, Progress{Stage::schedule, share});
                              }};
    Outcome<CompiledKernel> outcome = compile_kernel_watched(job.kernel, job.experiment, watch);
    if (cancelled_) return;
    if (!outcome) return post(generation, StageFailure{Stage::compile, std::move(outcome.error())});
    compiled = std::move(*outcome);
    post(generation, compiled);
  }
  if (cancelled_) return;
  post(generation, Progress{Stage::block, 0});
  Outcome<BlockResult> block = run_block(compiled, job.experiment, &cancelled_);
  if (cancelled_) return;
  if (!block) return post(generation, StageFailure{Stage::block, std::move(block.error())});
  post(generation, *block);

  const std::shared_ptr<const TimingSample> sample = run_model(**block, job, generation);
  if (cancelled_) return;
  const double instructions = estimate_grid_instructions(**block);
  run_grid(compiled, job, instructions, generation);
  if (cancelled_) return;
  if (compiled->changed != nullptr && compiled->changed->refused.empty())
    compare_bits(compiled, job, instructions, generation);
  if (cancelled_ || sample == nullptr) return;
  const Result<sm::SmConfig> device = choose_device(*devices_, job.experiment.arch, job.device);
  if (Outcome<ModelledTime> time = model_time(*sample, *device, &cancelled_); time && !cancelled_)
    post(generation, *time);
}

// The timeline comes before the grid, since it takes less time. Returns what the modelled time of the whole
// launch is made of; null without a timeline.
std::shared_ptr<const TimingSample> Worker::run_model(const BlockResult& block, const Job& job,
                                                      uint64_t generation) {
  post(generation, Progress{Stage::model, 0});
  if (!devices_) devices_ = shipped_devices();
  const Result<sm::SmConfig> device = choose_device(*devices_, job.experiment.arch, job.device);
  const auto give_up = [&](std::string why) {
    if (!cancelled_) post(generation, NotModelled{std::move(why)});
    return nullptr;
  };
  if (!device) return give_up(device.error().message);
  if (const std::string mistake = first_mistake(*block.compiled); !mistake.empty())
    return give_up("The changed machine code is broken. " + mistake);
  Outcome<TimingSample> sample = sample_timing(*block.compiled, job.experiment, *device, &cancelled_);
  if (!sample) return give_up(sample.error().message);
  Outcome<ModelResult> model = make_model_result(block, *sample, *device, &cancelled_);
  if (!model) return give_up(model.error().message);
  if (!cancelled_) post(generation, *model);
  return *sample;
}

// One core is left for the window.
int Worker::threads() const {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency() - 1));
}

void Worker::compare_bits(const std::shared_ptr<const CompiledKernel>& compiled, const Job& job,
                          double instructions, uint64_t generation) {
  GridRunOptions options;
  options.cancelled = &cancelled_;
  options.threads = threads();
  auto bits = compare_with_original(compiled, job.experiment, instructions, options);
  if (bits != nullptr && !cancelled_) post(generation, std::move(bits));
}

void Worker::run_grid(const std::shared_ptr<const CompiledKernel>& compiled, const Job& job,
                      double instructions, uint64_t generation) {
  GridRunOptions options;
  options.cancelled = &cancelled_;
  options.threads = threads();
  std::atomic<int> percent{-1};
  options.progress = [&](uint64_t done, uint64_t total) {
    const int now = static_cast<int>(100 * done / total);
    if (percent.exchange(now) != now)
      post(generation, Progress{Stage::grid, static_cast<double>(done) / static_cast<double>(total)});
  };
  post(generation, Progress{Stage::grid, 0});
  if (instructions > kAutomaticGridInstructions && !job.whole_grid_anyway) {
    tl::expected<SampledGrid, Failure> sampled = sample_grid(compiled, job.experiment, options);
    if (cancelled_) return;
    if (!sampled) return post(generation, StageFailure{Stage::grid, std::move(sampled.error())});
    if (sampled->grid == nullptr) return post(generation, GridSkipped{instructions, sampled->why_not});
    return post(generation, std::move(sampled->grid));
  }
  Outcome<GridResult> grid = run_whole_grid(compiled, job.experiment, options);
  if (cancelled_) return;
  if (!grid) return post(generation, StageFailure{Stage::grid, std::move(grid.error())});
  post(generation, *grid);
}

}  // namespace gemmscope::experiment
