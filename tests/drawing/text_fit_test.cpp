#include "drawing/text_fit.h"

#include <gtest/gtest.h>

namespace gemmscope::drawing {
namespace {

// Measures one unit per character by counting the bytes that start one.
float characters(std::string_view text) {
  float count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
  return count;
}

TEST(TextFit, KeepsWhatFits) {
  EXPECT_EQ(fit_text("FFMA", 4, characters), "FFMA");
  EXPECT_EQ(fit_text("", 0, characters), "");
}

TEST(TextFit, ShortensToTheLongestBeginning) {
  EXPECT_EQ(fit_text("wavefronts", 5, characters), "wave…");
  EXPECT_EQ(fit_text("wavefronts", 9, characters), "wavefron…");
}

TEST(TextFit, WrapsBetweenWords) {
  EXPECT_EQ(wrap_words("one two three", 7, characters), "one two\nthree");
  EXPECT_EQ(wrap_words("one two three", 100, characters), "one two three");
  EXPECT_EQ(wrap_words("sum: 1,234,567 of them", 8, characters), "sum:\n1,234,567\nof them")
      << "numbers stay whole";
  EXPECT_EQ(wrap_words("a\nb c", 1, characters), "a\nb\nc");
  EXPECT_EQ(wrap_words("", 5, characters), "");
  EXPECT_EQ(wrap_words("unbreakable", 3, characters), "unbreakable");
}

TEST(TextFit, ChineseWrapsBetweenCharacters) {
  EXPECT_EQ(wrap_words("共享内存中的分块", 3, characters), "共享内\n存中的\n分块");
  EXPECT_EQ(wrap_words("读 A，写 B。", 4, characters), "读 A，\n写 B。") << "no line begins with a full stop";
  EXPECT_EQ(wrap_words("（甲）（乙）", 4, characters), "（甲）\n（乙）")
      << "no line ends with an opening bracket";
  EXPECT_EQ(wrap_words("用 float4 读", 8, characters), "用 float4\n读") << "a word stays whole";
  EXPECT_EQ(wrap_words("少 40 % 多", 4, characters), "少\n40 %\n多");
}

TEST(TextFit, DropsSpacesBeforeTheEllipsis) { EXPECT_EQ(fit_text("bank conflicts", 6, characters), "bank…"); }

TEST(TextFit, NothingWhereNotEvenTheEllipsisFits) {
  EXPECT_EQ(fit_text("abc", 0.5f, characters), "");
  EXPECT_EQ(fit_text("abc", 1, characters), "…");
}

TEST(TextFit, NeverSplitsACharacter) {
  const std::string text = "α·A·B + β·C ≥ 4 µs";
  for (int width = 1; width < 18; ++width) {
    const std::string fitted = fit_text(text, static_cast<float>(width), characters);
    EXPECT_LE(characters(fitted), width);
    for (std::size_t at = 0; at < fitted.size(); at += utf8_length(fitted, at)) {
      EXPECT_NE(static_cast<unsigned char>(fitted[at]) & 0xC0, 0x80) << fitted;
    }
  }
}

TEST(TextFit, SurvivesMalformedUtf8) {
  EXPECT_EQ(utf8_boundaries("\xE2\x80"), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(utf8_boundaries("\x80\x80"), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(utf8_boundaries("a\xF0z"), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(TextFit, ShortensTheHeadAndKeepsTheTail) {
  const std::string text = "14 Tensor cores, TF32 · STAGES=3";
  const std::size_t head = text.find(" ·");
  EXPECT_EQ(fit_head(text, head, 40, characters), text);
  EXPECT_EQ(fit_head(text, head, 22, characters), "14 Tensor… · STAGES=3");
  for (int width = 0; width < 33; ++width)
    EXPECT_LE(characters(fit_head(text, head, static_cast<float>(width), characters)), width);
  // Without a tail, or with one that leaves no room for the head, the text is shortened at its end.
  EXPECT_EQ(fit_head("wavefronts", 10, 5, characters), "wave…");
  EXPECT_EQ(fit_head(text, head, 12, characters), "14 Tensor c…");
}

}  // namespace
}  // namespace gemmscope::drawing
