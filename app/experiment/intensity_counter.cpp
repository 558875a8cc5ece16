#include "experiment/intensity_counter.h"

#include "base/give_back_memory.h"
#include "experiment/grid_sampling.h"
#include "metrics/roofline.h"

namespace gemmscope::experiment {
namespace {

// A grid that cannot be sampled is executed in full up to this size, which takes some seconds on one core.
constexpr double kWholeFlops = 2.0 * 512 * 512 * 512;

}  // namespace

double count_intensity(const TimedKernel& choice, const catalog::Problem& problem, isa::Arch arch,
                       const std::atomic<bool>& cancelled) {
  Experiment e;
  e.kernel = choice.kernel.id;
  e.toggles = choice.toggles;
  e.changes = choice.changes;
  e.problem = problem;
  e.arch = arch;
  const Outcome<CompiledKernel> compiled = compile_kernel(choice.kernel, e);
  if (!compiled) return 0;
  GridRunOptions options;
  options.threads = 1;
  options.cancelled = &cancelled;
  std::shared_ptr<const GridResult> grid;
  if (auto sampled = sample_grid(*compiled, e, options)) grid = sampled->grid;
  if (grid == nullptr && flops(problem) <= kWholeFlops && !cancelled)
    if (auto whole = run_whole_grid(*compiled, e, options)) grid = *whole;
  if (grid == nullptr) return 0;
  return metrics::arithmetic_intensity(flops(problem), static_cast<double>(metrics::l1_bytes(grid->summary)));
}

IntensityCounter::IntensityCounter(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { loop(); }) {}

IntensityCounter::~IntensityCounter() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    cancelled_ = true;
  }
  ready_.notify_one();
  thread_.join();
}

void IntensityCounter::want(std::vector<TimedKernel> variants, catalog::Problem problem, isa::Arch arch) {
  {
    const std::lock_guard lock(mutex_);
    next_ = Request{std::move(variants), problem, arch};
    counted_.clear();
    ++generation_;
    cancelled_ = true;
  }
  ready_.notify_one();
}

std::vector<CountedTraffic> IntensityCounter::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(counted_, {});
}

void IntensityCounter::loop() {
  for (;;) {
    Request request;
    uint64_t generation = 0;
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return stopping_ || next_.has_value(); });
      if (stopping_) return;
      request = *std::exchange(next_, std::nullopt);
      generation = generation_;
      cancelled_ = false;
    }
    for (const TimedKernel& choice : request.variants) {
      const double intensity = count_intensity(choice, request.problem, request.arch, cancelled_);
      {
        const std::lock_guard lock(mutex_);
        if (stopping_ || generation != generation_) break;
        counted_.push_back({choice.kernel.id, choice.toggles, intensity, choice.changes});
      }
      wake_();
    }
    give_back_memory();
  }
}

}  // namespace gemmscope::experiment
