#include "scenes/paragraph_scene.h"

#include <gtest/gtest.h>

#include <random>

namespace gemmscope::scenes {
namespace {

// Each character of English is as wide as 1, each Chinese one as 2.
float measure(size_t, std::string_view text) {
  float width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0) == 0x80 ? 0.5f : 1;
  return width;
}

std::vector<std::string> lines(const std::vector<std::string>& parts, float width) {
  std::vector<std::string> result;
  float y = -1, x = 0;
  for (const TextRun& run : layout_paragraph(parts, width, 10, measure).runs) {
    if (run.rect.top != y)
      result.emplace_back();
    else if (run.rect.left > x)
      result.back() += ' ';
    result.back() += run.text;
    y = run.rect.top;
    x = run.rect.right;
  }
  return result;
}

TEST(Paragraph, BreaksBetweenWords) {
  EXPECT_EQ(lines({"one two three"}, 8), (std::vector<std::string>{"one two", "three"}));
}

TEST(Paragraph, WhatTouchesAcrossPartsStaysTogether) {
  EXPECT_EQ(lines({"takes ", "32", ", not one"}, 9), (std::vector<std::string>{"takes 32,", "not one"}));
}

TEST(Paragraph, ChineseBreaksBetweenCharactersButNotBeforeAFullStop) {
  EXPECT_EQ(lines({"共享内存。"}, 8), (std::vector<std::string>{"共享内", "存。"}));
}

TEST(Paragraph, ANameWiderThanTheLineIsBrokenAfterAnUnderscore) {
  EXPECT_EQ(lines({"see inst_executed_op"}, 10),
            (std::vector<std::string>{"see", "inst_", "executed_", "op"}));
  EXPECT_EQ(lines({"abcdefghij"}, 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
}

TEST(Paragraph, ALineBreakBeginsAParagraphLower) {
  const std::vector<std::string> parts = {"one\ntwo"};
  const Paragraph paragraph = layout_paragraph(parts, 100, 10, measure);
  ASSERT_EQ(paragraph.runs.size(), 2U);
  EXPECT_EQ(paragraph.runs[1].rect.top, 15);
  EXPECT_EQ(paragraph.height, 25);
}

// Random texts: nothing is lost, nothing is beyond the width but a word that is wider.
TEST(Paragraph, KeepsEveryWordWithinTheWidth) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::string> parts(1 + random() % 4);
    std::string expected;
    for (std::string& part : parts)
      for (unsigned i = random() % 30; i > 0; --i) part += "ab  c\n字"[random() % 6];
    for (const std::string& part : parts)
      for (const char c : part)
        if (c != ' ' && c != '\n') expected += c;
    const float width = 3 + static_cast<float>(random() % 20);
    std::string drawn;
    for (const TextRun& run : layout_paragraph(parts, width, 10, measure).runs) {
      drawn += run.text;
      EXPECT_TRUE(run.rect.left == 0 || run.rect.right <= width + 30);
    }
    EXPECT_EQ(drawn, expected);
  }
}

}  // namespace
}  // namespace gemmscope::scenes
