// Statistics of timing samples: median, spread, and whether two series differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gemmscope::metrics {

// Values are in the unit of the samples, and all 0 where there is no sample. The spread is the interquartile
// range: the middle half of the samples. A few samples that something else on the computer disturbed do not
// change it; they would change a standard deviation.
struct SampleSummary {
  size_t count = 0;
  double best = 0;  // the least: for times
  double lower_quartile = 0, median = 0, upper_quartile = 0;
  double spread() const { return upper_quartile - lower_quartile; }
};
SampleSummary summarize_samples(std::span<const double> samples);

// The value below which a fraction `p` (0 to 1) of the samples lies, interpolated linearly between the two
// nearest: definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996). `sorted` is
// ascending and not empty.
double quantile(std::span<const double> sorted, double p);

// The times of `a` compared with the times of `b`.
enum class Comparison : uint8_t {
  too_few,            // either has fewer samples than kFewestSamples
  indistinguishable,  // the spreads overlap
  faster,             // all of a's middle half is below b's
  slower
};
inline constexpr size_t kFewestSamples = 5;
// The spreads overlap if their closed intervals share a point. So "faster" means more than a difference of
// medians: about three quarters of a's samples are below about three quarters of b's. The rule matches what
// the screen shows: two bars whose spreads overlap are said not to differ. It is stricter than a rank test,
// which finds ever smaller differences the longer one measures, even those that another run would reverse.
Comparison compare_samples(const SampleSummary& a, const SampleSummary& b);

}  // namespace gemmscope::metrics
