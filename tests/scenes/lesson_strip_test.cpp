// The strip that explains a kernel: its texts wrap without being cut where there is room, and nothing
// overlaps.
#include <gtest/gtest.h>

#include "scenes/lesson_strip_scene.h"

namespace gemmscope::scenes {
namespace {

// Every character of body text is 8 wide, of small text 6.
LessonMetrics metrics(int most_lines = 2) {
  return {1,
          [](std::string_view text) { return 8 * static_cast<float>(text.size()); },
          [](std::string_view text) { return 6 * static_cast<float>(text.size()); },
          18,
          15,
          most_lines,
          most_lines + 2};
}

catalog::Catalog built_in() {
  return catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
}

TEST(WrappedLines, CountsAsTheTextIsDrawn) {
  const auto measure = metrics().body;
  EXPECT_EQ(wrapped_lines("", 100, measure), 0);
  EXPECT_EQ(wrapped_lines("one two", 56, measure), 1);
  EXPECT_EQ(wrapped_lines("one two", 55, measure), 2);
  EXPECT_EQ(wrapped_lines("a word-that-is-too-wide b", 40, measure), 3) << "a word is never divided";
}

TEST(LessonStrip, NamesTheStepsBeforeAndAfter) {
  const catalog::Catalog catalog = built_in();
  const LessonTexts texts = lesson_texts(catalog, *catalog.find("09_conflict_free"));
  EXPECT_EQ(texts.previous, "\u2190 08");
  EXPECT_EQ(texts.next, "10 \u2192");
  EXPECT_EQ(texts.place, "step 9 of 19");
  EXPECT_EQ(texts.next_title, catalog.find("10_register_double_buffer")->title);
  EXPECT_TRUE(texts.has_show_me);
  EXPECT_EQ(lesson_texts(catalog, catalog.kernels.front()).previous, "");
  EXPECT_EQ(lesson_texts(catalog, catalog.kernels.back()).next, "");
}

TEST(LessonStrip, EveryKernelHasALesson) {
  const catalog::Catalog catalog = built_in();
  ASSERT_FALSE(catalog.kernels.empty());
  for (const catalog::Kernel& kernel : catalog.kernels) {
    const LessonTexts texts = lesson_texts(catalog, kernel);
    EXPECT_FALSE(texts.why.empty()) << kernel.id;
    EXPECT_FALSE(texts.look_at.empty()) << kernel.id;
    EXPECT_TRUE(texts.has_show_me) << kernel.id;
  }
}

TEST(LessonStrip, NothingOverlapsAtAnyWidth) {
  const catalog::Catalog catalog = built_in();
  for (const catalog::Kernel& kernel : catalog.kernels)
    for (float width = 460; width < 2600; width += 53) {
      const LessonTexts texts = lesson_texts(catalog, kernel);
      const float height = lesson_strip_height(texts, width, metrics());
      const LessonStrip strip = layout_lesson_strip(texts, {0, 0, width, height}, metrics());
      ASSERT_EQ(strip.parts.size(), 2u);
      std::vector<drawing::Rect> rects{strip.previous, strip.show_me, strip.next, strip.place};
      for (const LessonPart& part : strip.parts) {
        rects.push_back(part.heading_rect);
        rects.push_back(part.text_rect);
        const auto& measure = strip.small ? metrics().small : metrics().body;
        const float line = strip.small ? 15.0f : 18.0f;
        const int lines = wrapped_lines(part.text, part.text_rect.width(), measure);
        if (part.whole) {
          EXPECT_LE(static_cast<float>(lines) * line, part.text_rect.height() + 0.5f) << kernel.id << width;
        }
        EXPECT_LE(part.text_rect.bottom, height);
      }
      for (size_t a = 0; a < rects.size(); ++a)
        for (size_t b = 0; b < a; ++b)
          EXPECT_TRUE(rects[a].intersected(rects[b]).empty())
              << kernel.id << " at " << width << ": " << a << b;
    }
}

TEST(LessonStrip, GrowsOnlyToItsMostLines) {
  const catalog::Catalog catalog = built_in();
  const LessonTexts texts = lesson_texts(catalog, *catalog.find("14_tensor_tf32"));
  EXPECT_LE(lesson_strip_height(texts, 500, metrics(2)), 8 * 15);
  EXPECT_GT(lesson_strip_height(texts, 700, metrics(5)), lesson_strip_height(texts, 700, metrics(2)));
  EXPECT_LE(lesson_strip_height(texts, 4000, metrics(2)), 2.5f * 18) << "a wide strip is low";
}

}  // namespace
}  // namespace gemmscope::scenes
