// What a row of timing samples says: the middle, the spread, and whether two rows differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gemmscope::metrics {

// In the unit of the samples. The spread is the interquartile range: from the lower to the upper quartile,
// the middle half of the samples. A few samples that something else on the computer disturbed do not move it,
// which they would with a standard deviation. All 0 where there is no sample.
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

// Times of `a` held against times of `b`.
enum class Comparison : uint8_t {
  too_few,            // samples of either for a spread, see kFewestSamples
  indistinguishable,  // the spreads overlap
  faster,             // all of a's middle half is below b's
  slower
};
inline constexpr size_t kFewestSamples = 5;
// The spreads overlap if their closed intervals share a point. So "faster" means more than a difference of
// medians: about three quarters of a's samples are below about three quarters of b's. It is meant for
// eyes (two bars whose spreads overlap on the screen are said not to differ) and stricter than a rank test,
// which tells ever smaller differences apart the longer the measuring lasts, also those that another run
// would turn round.
Comparison compare_samples(const SampleSummary& a, const SampleSummary& b);

}  // namespace gemmscope::metrics
