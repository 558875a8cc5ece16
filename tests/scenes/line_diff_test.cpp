// The alignment of lines against the textbook's table of longest common subsequences.
#include "scenes/line_diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gemmscope::scenes {
namespace {

using Lines = std::vector<uint32_t>;

// The table that takes time and room for each pair of lines.
size_t longest_common(const Lines& a, const Lines& b) {
  std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j)
      length[i + 1][j + 1] = a[i] == b[j] ? length[i][j] + 1 : std::max(length[i][j + 1], length[i + 1][j]);
  return length[a.size()][b.size()];
}

void expect_ascending_and_equal(const Lines& a, const Lines& b,
                                const std::vector<std::pair<uint32_t, uint32_t>>& pairs) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_LT(pairs[i].first, a.size());
    ASSERT_LT(pairs[i].second, b.size());
    ASSERT_EQ(a[pairs[i].first], b[pairs[i].second]);
    ASSERT_TRUE(i == 0 || (pairs[i].first > pairs[i - 1].first && pairs[i].second > pairs[i - 1].second));
  }
}

Lines random_lines(std::mt19937& random, size_t most, uint32_t kinds) {
  Lines lines(random() % (most + 1));
  for (uint32_t& line : lines) line = static_cast<uint32_t>(random()) % kinds;
  return lines;
}

TEST(CommonLines, AreAsManyAsTheTableSays) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t kinds = 1 + static_cast<uint32_t>(random()) % 5;
    const Lines a = random_lines(random, 14, kinds), b = random_lines(random, 14, kinds);
    const auto pairs = common_lines(a, b);
    ASSERT_EQ(pairs.size(), longest_common(a, b)) << "case " << i;
    ASSERT_NO_FATAL_FAILURE(expect_ascending_and_equal(a, b, pairs)) << "case " << i;
  }
}

TEST(CommonLines, OfLongListsAfterFewEdits) {
  std::mt19937 random(8);
  Lines a(3'000);
  for (uint32_t& line : a) line = static_cast<uint32_t>(random()) % 40;
  Lines b = a;
  for (int i = 0; i < 60; ++i) {
    const auto at = b.begin() + static_cast<std::ptrdiff_t>(random() % b.size());
    random() % 2 == 0 ? b.erase(at) : b.insert(at, 99);
  }
  const auto pairs = common_lines(a, b);
  EXPECT_EQ(pairs.size(), longest_common(a, b));
  expect_ascending_and_equal(a, b, pairs);
}

// Where the cost is bounded, the pairs are still pairs, and most of what is common is found.
TEST(CommonLines, OfForeignListsAreBounded) {
  std::mt19937 random(9);
  Lines a(2'000), b(2'000);
  for (Lines* lines : {&a, &b})
    for (uint32_t& line : *lines) line = static_cast<uint32_t>(random()) % 50;
  const auto pairs = common_lines(a, b, 20);
  expect_ascending_and_equal(a, b, pairs);
  const size_t most = longest_common(a, b);
  EXPECT_LT(pairs.size(), most);
  EXPECT_GT(pairs.size(), most / 2);
}

TEST(CommonLines, OfNothing) {
  EXPECT_TRUE(common_lines({}, {}).empty());
  EXPECT_TRUE(common_lines(Lines{1, 2}, {}).empty());
  EXPECT_TRUE(common_lines(Lines{1, 2}, Lines{3}).empty());
}

TEST(NumberedLines, AreEqualWhereTheTextsAre) {
  const std::vector<std::string> a = {"x", "y", "x"}, b = {"y", "z"};
  const NumberedLines numbers = number_lines(a, b);
  EXPECT_EQ(numbers.a[0], numbers.a[2]);
  EXPECT_NE(numbers.a[0], numbers.a[1]);
  EXPECT_EQ(numbers.b[0], numbers.a[1]);
  EXPECT_NE(numbers.b[1], numbers.a[0]);
  EXPECT_NE(numbers.b[1], numbers.a[1]);
}

}  // namespace
}  // namespace gemmscope::scenes
