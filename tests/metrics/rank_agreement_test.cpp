// Kendall's tau-b, against values worked out by hand.
#include "metrics/rank_agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gemmscope::metrics {
namespace {

std::optional<double> tau(const std::vector<double>& a, const std::vector<double>& b) {
  return kendall_tau(a, b);
}

TEST(RankAgreement, OneForTheSameOrderAndMinusOneForTheOpposite) {
  EXPECT_DOUBLE_EQ(*tau({1, 2, 3, 4}, {10, 20, 25, 70}), 1);
  EXPECT_DOUBLE_EQ(*tau({1, 2, 3, 4}, {9, 7, 5, 3}), -1);
}

// Of the six pairs of 1 2 3 4 and 1 3 2 4 one is in the other order: (5 − 1) / 6.
TEST(RankAgreement, CountsPairs) { EXPECT_DOUBLE_EQ(*tau({1, 2, 3, 4}, {1, 3, 2, 4}), 4.0 / 6); }

// Of the three pairs one is tied in a: 2 / sqrt(2 · 3).
TEST(RankAgreement, TiesCountForNeither) { EXPECT_DOUBLE_EQ(*tau({1, 1, 2}, {1, 2, 3}), 2 / std::sqrt(6.0)); }

TEST(RankAgreement, NothingWithoutTwoDifferentValues) {
  EXPECT_FALSE(tau({}, {}));
  EXPECT_FALSE(tau({1}, {2}));
  EXPECT_FALSE(tau({1, 1}, {1, 2}));
}

}  // namespace
}  // namespace gemmscope::metrics
