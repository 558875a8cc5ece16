// The strip of a class's guesses: every guess is a dot inside the area, and the truth has its place.
#include <gtest/gtest.h>

#include <vector>

#include "scenes/guess_strip_scene.h"

namespace gemmscope::scenes {
namespace {

constexpr drawing::Rect kArea{10, 20, 310, 80};

void expect_inside(const GuessStrip& strip) {
  for (const GuessDot& dot : strip.dots) {
    EXPECT_GE(dot.rect.left, kArea.left);
    EXPECT_LE(dot.rect.right, kArea.right);
    EXPECT_GE(dot.rect.top, kArea.top - 1);
    EXPECT_LE(dot.rect.bottom, kArea.bottom);
    EXPECT_FALSE(dot.rect.empty());
  }
}

TEST(GuessStrip, HasADotForEachGuess) {
  const std::vector<GuessedNumber> guesses = {{16, 3, false}, {32, 2, true}, {40, 1, false}};
  const GuessStrip strip = layout_guess_strip(guesses, 32, kArea, 9);
  EXPECT_EQ(strip.dots.size(), 6U);
  EXPECT_FALSE(strip.logarithmic);
  expect_inside(strip);
  int right = 0;
  for (const GuessDot& dot : strip.dots)
    if (dot.right) {
      ++right;
      EXPECT_LE(dot.rect.left, strip.truth.right) << "what is right lies at the truth";
      EXPECT_GE(dot.rect.right, strip.truth.left);
    }
  EXPECT_EQ(right, 2);
  EXPECT_LT(strip.dots[0].rect.left, strip.truth.left) << "16 lies left of 32";
}

TEST(GuessStrip, FarNumbersLieOnALogarithmicAxis) {
  const std::vector<GuessedNumber> guesses = {{128, 1, false}, {16384, 1, true}, {2'000'000, 1, false}};
  const GuessStrip strip = layout_guess_strip(guesses, 16384, kArea, 9);
  EXPECT_TRUE(strip.logarithmic);
  expect_inside(strip);
  EXPECT_GT(strip.truth.left, kArea.left + 0.3f * kArea.width());
  EXPECT_LT(strip.truth.right, kArea.left + 0.7f * kArea.width());
}

TEST(GuessStrip, HoldsALectureHallAndOneGuess) {
  const std::vector<GuessedNumber> many = {{1, 400, false}, {2, 900, true}};
  const GuessStrip strip = layout_guess_strip(many, 2, kArea, 9);
  EXPECT_EQ(strip.dots.size(), 1300U);
  for (const GuessDot& dot : strip.dots) EXPECT_LE(dot.rect.bottom, kArea.bottom);
  const std::vector<GuessedNumber> one = {{-5, 1, true}};
  expect_inside(layout_guess_strip(one, -5, kArea, 9));
  EXPECT_TRUE(layout_guess_strip({}, 0, kArea, 9).dots.empty());
}

}  // namespace
}  // namespace gemmscope::scenes
