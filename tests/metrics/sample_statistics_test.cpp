#include "metrics/sample_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace gemmscope::metrics {
namespace {

using Samples = std::vector<double>;

TEST(SampleStatistics, AreRightForKnownRows) {
  const SampleSummary five = summarize_samples(Samples{5, 1, 4, 2, 3});
  EXPECT_EQ(five.count, 5u);
  EXPECT_EQ(five.best, 1);
  EXPECT_EQ(five.lower_quartile, 2);
  EXPECT_EQ(five.median, 3);
  EXPECT_EQ(five.upper_quartile, 4);
  EXPECT_EQ(five.spread(), 2);
  const SampleSummary four = summarize_samples(Samples{40, 10, 30, 20});
  EXPECT_DOUBLE_EQ(four.lower_quartile, 17.5);
  EXPECT_DOUBLE_EQ(four.median, 25);
  EXPECT_DOUBLE_EQ(four.upper_quartile, 32.5);
}

TEST(SampleStatistics, AreRightForOneSampleAndForNone) {
  const SampleSummary one = summarize_samples(Samples{7});
  EXPECT_EQ(one.best, 7);
  EXPECT_EQ(one.lower_quartile, 7);
  EXPECT_EQ(one.upper_quartile, 7);
  EXPECT_EQ(summarize_samples(Samples{}).count, 0u);
  EXPECT_EQ(summarize_samples(Samples{}).median, 0);
}

// Finds a quantile by walking: n - 1 equal steps lead from the least of n samples to the greatest.
double slow_quantile(Samples samples, double p) {
  double left = p * static_cast<double>(samples.size() - 1);
  const auto take_least = [&] {
    const auto least = std::min_element(samples.begin(), samples.end());
    const double value = *least;
    samples.erase(least);
    return value;
  };
  double value = take_least();
  while (left > 0 && !samples.empty()) {
    const double next = take_least(), step = std::min(left, 1.0);
    value += step * (next - value);
    left -= step;
  }
  return value;
}

// True if a point lies in both intervals. Such a point is also at an end of one of them.
bool slow_overlap(const SampleSummary& a, const SampleSummary& b) {
  const auto in = [](const SampleSummary& s, double x) {
    return s.lower_quartile <= x && x <= s.upper_quartile;
  };
  for (const double x : {a.lower_quartile, a.upper_quartile, b.lower_quartile, b.upper_quartile})
    if (in(a, x) && in(b, x)) return true;
  return false;
}

Samples random_samples(std::mt19937_64& random, size_t count) {
  // Half of the rows have few different values, so that quartiles meet exactly.
  const bool coarse = random() % 2 == 0;
  std::uniform_real_distribution<double> fine(0, 10);
  Samples samples(count);
  const double shift = static_cast<double>(random() % 4);
  for (double& sample : samples) sample = shift + (coarse ? static_cast<double>(random() % 4) : fine(random));
  return samples;
}

TEST(SampleStatisticsProperty, EqualsWalkingThroughTheSamples) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    Samples samples = random_samples(random, 1 + random() % 40);
    const SampleSummary s = summarize_samples(samples);
    EXPECT_NEAR(s.lower_quartile, slow_quantile(samples, 0.25), 1e-9);
    EXPECT_NEAR(s.median, slow_quantile(samples, 0.5), 1e-9);
    EXPECT_NEAR(s.upper_quartile, slow_quantile(samples, 0.75), 1e-9);
    EXPECT_EQ(s.best, *std::min_element(samples.begin(), samples.end()));
    std::shuffle(samples.begin(), samples.end(), random);
    EXPECT_EQ(summarize_samples(samples).upper_quartile, s.upper_quartile) << "the order matters";
  }
}

TEST(SampleStatisticsProperty, ComparisonsEqualTheSlowOverlap) {
  std::mt19937_64 random(12);
  int seen[4] = {};
  for (int round = 0; round < 4000; ++round) {
    const SampleSummary a = summarize_samples(random_samples(random, 1 + random() % 30));
    const SampleSummary b = summarize_samples(random_samples(random, 1 + random() % 30));
    const Comparison comparison = compare_samples(a, b);
    ++seen[static_cast<int>(comparison)];
    if (a.count < kFewestSamples || b.count < kFewestSamples) {
      EXPECT_EQ(comparison, Comparison::too_few);
      continue;
    }
    EXPECT_EQ(comparison == Comparison::indistinguishable, slow_overlap(a, b));
    EXPECT_TRUE(comparison != Comparison::faster || a.median < b.median);
    EXPECT_TRUE(comparison != Comparison::slower || a.median > b.median);
    const Comparison back = compare_samples(b, a);
    EXPECT_EQ(comparison == Comparison::faster, back == Comparison::slower);
    EXPECT_EQ(comparison == Comparison::indistinguishable, back == Comparison::indistinguishable);
  }
  for (const int count : seen) EXPECT_GT(count, 50) << "a kind of pair that was hardly tried";
}

TEST(SampleStatistics, SpreadsThatTouchAreNotDistinguishable) {
  const SampleSummary a = summarize_samples(Samples{1, 2, 3, 4, 5}),
                      b = summarize_samples(Samples{3, 4, 5, 6, 7});
  EXPECT_EQ(a.upper_quartile, b.lower_quartile);
  EXPECT_EQ(compare_samples(a, b), Comparison::indistinguishable);
  EXPECT_EQ(compare_samples(a, summarize_samples(Samples{3.1, 4.1, 5, 6, 7})), Comparison::faster);
}

}  // namespace
}  // namespace gemmscope::metrics
