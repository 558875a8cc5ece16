#include "metrics/sample_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gemmscope::metrics {

double quantile(std::span<const double> sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(std::floor(position));
  if (below + 1 >= sorted.size()) return sorted.back();
  const double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[below + 1] - sorted[below]);
}

SampleSummary summarize_samples(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return {sorted.size(), sorted.front(), quantile(sorted, 0.25), quantile(sorted, 0.5),
          quantile(sorted, 0.75)};
}

Comparison compare_samples(const SampleSummary& a, const SampleSummary& b) {
  if (a.count < kFewestSamples || b.count < kFewestSamples) return Comparison::too_few;
  if (a.upper_quartile < b.lower_quartile) return Comparison::faster;
  if (b.upper_quartile < a.lower_quartile) return Comparison::slower;
  return Comparison::indistinguishable;
}

}  // namespace gemmscope::metrics
