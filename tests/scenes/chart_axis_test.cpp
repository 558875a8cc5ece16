#include "scenes/chart_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace gemmscope::scenes {
namespace {

Axis random_axis(std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(-4, 5), span(0.1, 4);
  Axis axis;
  axis.logarithmic = random() % 2 == 0;
  axis.low = axis.logarithmic ? std::pow(10, exponent(random)) : 0;
  axis.high = axis.logarithmic ? axis.low * std::pow(10, span(random)) : std::pow(10, exponent(random));
  axis.from = static_cast<float>(random() % 100);
  axis.to = axis.from + (random() % 2 == 0 ? 1.0f : -1.0f) * static_cast<float>(20 + random() % 900);
  return axis;
}

TEST(ChartAxis, TicksAreRoundSpacedAndInside) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const Axis axis = random_axis(random);
    const float apart = 8.0f + static_cast<float>(random() % 40);
    const std::vector<Tick> ticks = make_ticks(axis, apart);
    for (size_t k = 0; k < ticks.size(); ++k) {
      EXPECT_GE(ticks[k].position, std::min(axis.from, axis.to) - 0.01f);
      EXPECT_LE(ticks[k].position, std::max(axis.from, axis.to) + 0.01f);
      if (axis.logarithmic) {
        EXPECT_NEAR(round_up(ticks[k].value) / ticks[k].value, 1, 1e-6) << ticks[k].value;
      }
      if (k == 0) continue;
      EXPECT_GT(ticks[k].value, ticks[k - 1].value);
      EXPECT_GE(std::abs(ticks[k].position - ticks[k - 1].position), apart - 0.01f);
    }
    if (!axis.logarithmic && std::abs(axis.to - axis.from) > 4 * apart) {
      EXPECT_GE(ticks.size(), 2u);
    }
  }
}

TEST(ChartAxis, IsMonotoneAndClamps) {
  const Axis axis{1, 1000, 100, 0, true};
  EXPECT_FLOAT_EQ(axis.at(1), 100);
  EXPECT_FLOAT_EQ(axis.at(1000), 0);
  EXPECT_NEAR(axis.at(10), 66.667, 0.01);
  EXPECT_FLOAT_EQ(axis.at(0.001), 100);
  EXPECT_FLOAT_EQ(axis.at(-5), 100);
  EXPECT_FLOAT_EQ(axis.at(NAN), 100);
  EXPECT_FLOAT_EQ(axis.at(1e9), 0);
}

TEST(ChartAxis, Rounds) {
  for (const double value : {0.0011, 0.02, 0.3, 1.0, 1.01, 4.9, 5.0, 5.1, 66.9, 989.0}) {
    EXPECT_GE(round_up(value), value * (1 - 1e-8));
    EXPECT_LE(round_up(value), value * 2.5 * (1 + 1e-8));
    EXPECT_LE(round_down(value), value * (1 + 1e-8));
    EXPECT_GE(round_down(value), value / 2.5 * (1 - 1e-8));
  }
  EXPECT_DOUBLE_EQ(round_up(66.9), 100);
  EXPECT_DOUBLE_EQ(round_down(66.9), 50);
}

TEST(ChartAxis, FiguresAreShort) {
  EXPECT_EQ(figure_text(0), "0");
  EXPECT_EQ(figure_text(51.4), "51.4");
  EXPECT_EQ(figure_text(50), "50");
  EXPECT_EQ(figure_text(0.5), "0.5");
  EXPECT_EQ(figure_text(0.334), "0.334");
  EXPECT_EQ(figure_text(2), "2");
  EXPECT_EQ(figure_text(989.4), "989");
  EXPECT_EQ(figure_text(12345), "12,345");
}

// Checks the definition: labels do not overlap, lie inside, keep the order of their marks, and the most
// important ones remain. A label alone lies at its mark.
TEST(ChartLabels, ArePushedApartOnlyAsFarAsNeeded) {
  std::mt19937 random(2);
  for (int round = 0; round < 3000; ++round) {
    std::vector<WantedLabel> wanted(random() % 25);
    for (WantedLabel& w : wanted) w = {static_cast<float>(random() % 300), static_cast<int>(random() % 4)};
    const float height = 8.0f + static_cast<float>(random() % 12), top = 5, bottom = 285;
    const std::vector<PlacedLabel> placed = place_labels(wanted, height, top, bottom);
    const auto room = static_cast<size_t>((bottom - top) / height);
    ASSERT_EQ(placed.size(), std::min(room, wanted.size()));
    int least_kept = 9;
    for (size_t i = 0; i < placed.size(); ++i) {
      EXPECT_GE(placed[i].top, top - 0.01f);
      EXPECT_LE(placed[i].top + height, bottom + 0.01f);
      least_kept = std::min(least_kept, wanted[placed[i].index].priority);
      if (i == 0) continue;
      EXPECT_GE(placed[i].top, placed[i - 1].top + height - 0.01f);
      EXPECT_GE(wanted[placed[i].index].center, wanted[placed[i - 1].index].center);
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      const bool kept = std::any_of(placed.begin(), placed.end(), [&](auto& p) { return p.index == i; });
      if (!kept) {
        EXPECT_LE(wanted[i].priority, least_kept);
      }
    }
  }
  const WantedLabel alone[] = {{50, 0}, {150, 0}};
  const std::vector<PlacedLabel> placed = place_labels(alone, 10, 0, 200);
  EXPECT_FLOAT_EQ(placed[0].top, 45);
  EXPECT_FLOAT_EQ(placed[1].top, 145);
}

}  // namespace
}  // namespace gemmscope::scenes
