#include "experiment/size_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/roofline.h"
#include "metrics/sample_statistics.h"

namespace gemmscope::experiment {
namespace {

bool is_ours(const TimedVariant& variant) { return variant.is_product && !variant.is_library; }

double median_ms(const TimedVariant& variant) {
  return metrics::summarize_samples(milliseconds(variant)).median;
}

bool is_same_file(const Timings& a, const Timings& b) {
  return a.command == b.command && a.date == b.date && a.device.name == b.device.name;
}

}  // namespace

void mark_sweep(Recording& recording) {
  const bool sweep =
      recording.size() >= kLeastSweepSizes && std::ranges::all_of(recording, [](const Timings& run) {
        return run.problem.m > 0 && std::ranges::count_if(run.variants, is_ours) == 1;
      });
  for (Timings& run : recording) run.of_sweep = sweep;
}

std::span<const Timings> sweep_around(const std::vector<Timings>& recordings, size_t index) {
  const auto belongs = [&](size_t i) {
    return recordings[i].of_sweep && is_same_file(recordings[i], recordings[index]);
  };
  size_t first = index, end = index + 1;
  while (first > 0 && belongs(first - 1)) --first;
  while (end < recordings.size() && belongs(end)) ++end;
  return std::span(recordings).subspan(first, end - first);
}

std::vector<int> choosable_recordings(const std::vector<Timings>& recordings) {
  std::vector<int> indices;
  for (size_t i = 0; i < recordings.size(); ++i)
    if (!recordings[i].of_sweep || &sweep_around(recordings, i).front() == &recordings[i])
      indices.push_back(static_cast<int>(i));
  return indices;
}

std::string recording_title(const std::vector<Timings>& recordings, size_t index) {
  const Timings& r = recordings[index];
  return fmt::format(
      "{}, {}", r.title.empty() ? r.device.name : r.title,
      r.of_sweep ? fmt::format("{} sizes", sweep_around(recordings, index).size()) : size_text(r.problem));
}

SizeShape size_shape(const catalog::Problem& p) {
  constexpr int64_t kFloatsOfPiece = 4, kMuch = 4;
  if (p.k % kFloatsOfPiece != 0 || p.n % kFloatsOfPiece != 0) return SizeShape::ragged;
  if (p.k >= kMuch * std::max(p.m, p.n)) return SizeShape::deep;
  if (p.m >= kMuch * p.n || p.n >= kMuch * p.m) return SizeShape::tall_or_wide;
  return SizeShape::square;
}

SizeSweep size_sweep(std::span<const Timings> runs) {
  SizeSweep sweep;
  double sum_of_logs = 0;
  for (const Timings& run : runs) {
    const auto ours = std::ranges::find_if(run.variants, is_ours);
    if (ours == run.variants.end()) continue;
    const TimedVariant* const library = reference_of(run, ours->grade);
    if (ours->samples.empty() || library == nullptr) continue;
    const double ms = median_ms(*ours), library_ms = median_ms(*library), work = flops(run.problem);
    sweep.points.push_back({run.problem,
                            {ours->id, ours->toggles},
                            variant_name(*ours),
                            metrics::tflops(work, ms),
                            library_ms / ms,
                            metrics::tflops(work, library_ms)});
    sum_of_logs += std::log(library_ms / ms);
  }
  if (sweep.points.empty()) return sweep;
  sweep.geometric_mean = std::exp(sum_of_logs / static_cast<double>(sweep.points.size()));
  const auto least = std::ranges::min_element(sweep.points, {}, &SizePoint::of_library);
  sweep.least = static_cast<size_t>(least - sweep.points.begin());
  return sweep;
}

}  // namespace gemmscope::experiment
