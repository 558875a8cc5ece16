#include "experiment/recorded_time.h"

#include <algorithm>

#include "metrics/sample_statistics.h"

namespace gemmscope::experiment {

double median_ms(const TimedVariant& variant) {
  return metrics::summarize_samples(milliseconds(variant)).median;
}

std::optional<RecordedTime> find_recorded(const Recordings& recordings, const std::string& device,
                                          const VariantKey& variant, const catalog::Problem& problem) {
  for (const RecordingFile& file : recordings.files)
    for (const Timings& run : file.recording) {
      const catalog::Problem& p = run.problem;
      if (run.device.name != device || run.l2_flushed || p.m != problem.m || p.n != problem.n ||
          p.k != problem.k || p.beta != problem.beta)
        continue;
      const auto found = std::ranges::find_if(
          run.variants, [&](const TimedVariant& v) { return !v.is_library && key_of(v) == variant; });
      if (found == run.variants.end() || found->samples.empty()) continue;
      return RecordedTime{median_ms(*found), run.device.name, run.date, file.path.filename().string()};
    }
  return std::nullopt;
}

int recording_of(const std::vector<Timings>& recordings, std::string_view device, const VariantKey& variant,
                 const catalog::Problem& problem) {
  int of_kernel = -1;
  for (size_t i = 0; i < recordings.size(); ++i) {
    const Timings& recording = recordings[i];
    const catalog::Problem& p = recording.problem;
    const bool sized = p.m == 0 || (p.m == problem.m && p.n == problem.n && p.k == problem.k);
    if (recording.device.name != device || !sized || recording.l2_flushed) continue;
    if (std::ranges::any_of(recording.variants, [&](const TimedVariant& v) { return key_of(v) == variant; }))
      return static_cast<int>(i);
    if (of_kernel < 0 &&
        std::ranges::find(recording.variants, variant.kernel, &TimedVariant::id) != recording.variants.end())
      of_kernel = static_cast<int>(i);
  }
  return of_kernel;
}

std::map<std::string, int64_t> changed_toggles(const catalog::Kernel& kernel,
                                               std::map<std::string, int64_t> toggles) {
  for (const catalog::Toggle& toggle : kernel.toggles) {
    const auto found = toggles.find(toggle.name);
    if (found != toggles.end() && found->second == toggle.default_value) toggles.erase(found);
  }
  return toggles;
}

}  // namespace gemmscope::experiment
