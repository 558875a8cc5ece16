#include "scenes/key_times.h"

#include <algorithm>

#include "experiment/recorded_time.h"
#include "scenes/occupancy_scene.h"

namespace gemmscope::scenes {

using experiment::BlockResult;
using experiment::Timings;

std::optional<KeyTime> key_time_in(const Timings& timings, const BlockResult& block) {
  const catalog::Problem &timed = timings.problem, &shown = block.experiment.problem;
  const bool same_size = timed.m == shown.m && timed.n == shown.n && timed.k == shown.k;
  if (timings.l2_flushed || !same_size || !block.experiment.inputs.empty()) return std::nullopt;
  const experiment::VariantKey wanted = experiment::key_of(block.experiment);
  for (const experiment::TimedVariant& variant : timings.variants)
    if (!variant.samples.empty() && experiment::key_of(variant) == wanted)
      return KeyTime{experiment::median_ms(variant), timings.provenance, timings.device.name, timings.date};
  return std::nullopt;
}

std::vector<KeyTime> timed_of(const BlockResult& block, const Timings* live,
                              std::span<const Timings> recordings) {
  std::vector<KeyTime> times, others;
  if (live != nullptr)
    if (auto time = key_time_in(*live, block)) times.push_back(std::move(*time));
  const int shown = occupancy_point_of(*block.compiled).compute_capability;
  for (const Timings& recording : recordings)
    if (auto time = key_time_in(recording, block))
      (recording.device.compute_capability == shown ? times : others).push_back(std::move(*time));
  times.insert(times.end(), others.begin(), others.end());
  return times;
}

}  // namespace gemmscope::scenes
