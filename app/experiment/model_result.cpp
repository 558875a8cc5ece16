#include "experiment/model_result.h"

#include <algorithm>
#include <chrono>

namespace gemmscope::experiment {
namespace {

// A step takes 56 bytes, and its sums about as much again.
constexpr uint64_t kMostSteps = 8'000'000;

tl::unexpected<Failure> failed(std::string message) {
  return tl::unexpected(Failure{std::move(message), {}});
}

}  // namespace

Outcome<ModelResult> make_model_result(const BlockResult& block, std::shared_ptr<const TimingSample> sample,
                                       const sm::SmConfig& device, const std::atomic<bool>* cancelled) {
  const auto start = std::chrono::steady_clock::now();
  auto result = std::make_shared<ModelResult>();
  result->compiled = block.compiled;
  result->experiment = block.experiment;
  result->device = device;
  result->sample = std::move(sample);
  const sm::SampledLaunch& sampled = result->sample->launches[result->sample->shown_launch];
  const sm::LaunchTrace& launch = result->launch();
  result->depth =
      sampled.deep_depth > 0 ? static_cast<int64_t>(sampled.deep_depth) : block.experiment.problem.k;
  if (launch.instructions() > kMostSteps)
    return failed(
        fmt::format("The blocks of one SM issue {:.0f} million instructions, more than a picture keeps; "
                    "choose a smaller problem.",
                    static_cast<double>(launch.instructions()) / 1e6));
  auto timeline = sm::make_timeline(launch, device, static_cast<uint32_t>(launch.blocks.size()), cancelled);
  if (!timeline) return failed(timeline.error().message);
  result->timeline = *std::move(timeline);
  result->index = sm::TimelineIndex(result->timeline, launch, device.fma_halves);
  result->code = find_code_stages(block, launch, cancelled);
  result->stages = find_stages(result->timeline, launch, result->code);
  if (cancelled != nullptr && *cancelled) return failed("cancelled");
  result->model_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace gemmscope::experiment
