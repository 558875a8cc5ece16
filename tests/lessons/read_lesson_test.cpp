#include "lessons/read_lesson.h"

#include <gtest/gtest.h>

namespace gemmscope::lessons {
namespace {

constexpr const char* kHead = "title = \"T\"\nsummary = \"S\"\n";

std::string page(const std::string& rest) {
  return std::string(kHead) + "[[page]]\nid = \"p\"\ntitle = \"P\"\ntext = \"Words.\"\nreveal = \"So.\"\n" +
         rest;
}

std::string complaint(const std::string& text) {
  const auto lesson = parse_lesson(text, "course/07_x.toml");
  return lesson ? "" : lesson.error().message;
}

TEST(ReadLesson, ReadsAPage) {
  const auto lesson = parse_lesson(page(R"(
kernel = "03_shared_tile"
m = 512
toggles = { TILE = 16 }
show = ["time.to_end"]
after = { toggles = { TILE = 32 } }
[page.question]
ask = "How many?"
number = "x"
within = 0.1
[page.figures]
x = { counter = "flops" }
y = { counter = "flops", kernel = "01_naive_rows", k = 64 }
)"),
                                   "course/07_x.toml");
  ASSERT_TRUE(lesson) << lesson.error().message;
  EXPECT_EQ(lesson->id, "07_x");
  const Page& p = lesson->pages.at(0);
  EXPECT_EQ(p.experiment.problem.m, 512);
  EXPECT_EQ(p.experiment.toggles.at("TILE"), 16);
  EXPECT_EQ(p.revealed.toggles.at("TILE"), 32);
  EXPECT_EQ(p.revealed.problem.m, 512);
  EXPECT_EQ(p.question->kind, QuestionKind::number);
  const FigureSpec& y = *p.find_figure("y");
  EXPECT_EQ(y.experiment.kernel, "01_naive_rows");
  EXPECT_EQ(y.experiment.problem.m, 512) << "the page's size stays";
  EXPECT_TRUE(y.experiment.toggles.empty()) << "another kernel's toggles do not";
}

TEST(ReadLesson, AQuestionHidesWhatWouldTell) {
  const std::string choice =
      "[page.question]\nask = \"?\"\nchoices = [{ text = \"a\", when = \"1\" }, { text = \"b\", when = \"0\" "
      "}]\n";
  const auto by_default = parse_lesson(page(choice), "x.toml");
  ASSERT_TRUE(by_default) << by_default.error().message;
  EXPECT_TRUE(by_default->pages[0].hides.numbers && by_default->pages[0].hides.pictures);
  EXPECT_FALSE(by_default->pages[0].hides.map);
  const auto listed = parse_lesson(page("hides = [\"map\"]\n" + choice), "x.toml");
  EXPECT_TRUE(listed->pages[0].hides.map);
  EXPECT_FALSE(listed->pages[0].hides.numbers);
}

TEST(ReadLesson, ParagraphsAreSeparatedByEmptyLines) {
  const auto lesson = parse_lesson(
      std::string(kHead) + "[[page]]\nid = \"p\"\ntitle = \"P\"\ntext = \"\"\"\nOne\nline.\n\nTwo.\"\"\"\n",
      "x.toml");
  ASSERT_TRUE(lesson) << lesson.error().message;
  EXPECT_EQ(lesson->pages[0].text.english, "One line.\nTwo.");
}

struct Bad {
  const char *text, *says;
};
class BadLesson : public testing::TestWithParam<Bad> {};
TEST_P(BadLesson, IsNamedWithItsLineAndKey) {
  const std::string message = complaint(page(GetParam().text));
  EXPECT_NE(message.find(GetParam().says), std::string::npos) << message;
  EXPECT_NE(message.find("07_x.toml:"), std::string::npos) << message;
}
INSTANTIATE_TEST_SUITE_P(
    All, BadLesson,
    testing::Values(Bad{"kernl = \"x\"\n", "kernl"}, Bad{"m = 0\n", "size"},
                    Bad{"arch = \"sm_1\"\n", "sm_75"}, Bad{"claims = [\"a <\"]\n", "claims"},
                    Bad{"claims = [\"a < 1\"]\n", "no figure"},
                    Bad{"[page.figures]\nx = { counter = \"flops\", code = \"registers\" }\n", "one of"},
                    Bad{"[page.figures]\nx = { counter = \"flops\", kernal = \"y\" }\n", "kernal"},
                    Bad{"[page.question]\nask = \"?\"\n", "one of number"},
                    Bad{"[page.question]\nask = \"?\"\npoint = \"beauty\"\n", "excess_wavefronts"},
                    Bad{"hides = [\"all\"]\n", "numbers"},
                    Bad{"[page.question]\nask = \"{x}?\"\nnumber = \"1\"\n", "no figure"},
                    Bad{"[page.question]\nask = \"?\"\nchoices = [{ text = \"a\", when = \"1\" }]\n",
                        "two to six"}));

TEST(ReadLesson, NamesTheLineOfASyntaxError) {
  EXPECT_NE(complaint("title = \n").find("07_x.toml:1"), std::string::npos);
  EXPECT_NE(complaint(kHead).find("[[page]]"), std::string::npos);
}

TEST(ReadLesson, TwoPagesMayNotShareAnId) {
  const std::string twice = page("") + "[[page]]\nid = \"p\"\ntitle = \"Q\"\ntext = \"Words.\"\n";
  EXPECT_NE(complaint(twice).find("earlier page"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::lessons
