// Every page of every lesson that ships: its figures can be computed, what it says holds, in both languages.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "catalog/catalog.h"
#include "lessons/check_lesson.h"
#include "lessons/read_lesson.h"

namespace gemmscope::lessons {
namespace {

const LessonList& shipped() {
  static const LessonList list = read_lessons(lessons_folder());
  return list;
}

std::vector<std::string> ids() {
  std::vector<std::string> ids;
  for (const Lesson& lesson : shipped().lessons) ids.push_back(lesson.id);
  return ids;
}

TEST(ShippedLessons, CanBeRead) {
  for (const Error& error : shipped().errors) ADD_FAILURE() << error.message;
  EXPECT_GE(shipped().page_count(), 60U);
}

// A teacher copies the README's page first.
TEST(ShippedLessons, TheReadmesOwnPageHolds) {
  std::ifstream file(lessons_folder() / "README.md");
  std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t begin = text.find("```toml\n") + 8;
  const auto lesson = parse_lesson(text.substr(begin, text.find("```", begin) - begin), "readme.toml");
  ASSERT_TRUE(lesson) << lesson.error().message;
  const catalog::Catalog kernels = catalog::read_catalog(catalog::kernels_folder());
  FigureEvaluator evaluator(kernels);
  for (const Page& page : lesson->pages) {
    for (const std::string& trouble : troubles_of(page, evaluator.evaluate(page), false))
      ADD_FAILURE() << trouble;
    for (const std::string& trouble : troubles_of_experiments(page, kernels)) ADD_FAILURE() << trouble;
  }
}

TEST(ShippedLessons, WrongKernelsAndTogglesAreNamed) {
  const catalog::Catalog kernels = catalog::read_catalog(catalog::kernels_folder());
  const auto troubles = [&](const std::string& experiment) {
    const auto lesson = parse_lesson(
        "title = \"t\"\nsummary = \"s\"\n[[page]]\nid = \"p\"\ntitle = \"t\"\n"
        "text = \"x\"\n" +
            experiment,
        "wrong.toml");
    EXPECT_TRUE(lesson);
    return troubles_of_experiments(lesson->pages.at(0), kernels);
  };
  EXPECT_TRUE(troubles("kernel = \"03_shared_tile\"\ntoggles = { TILE = 32 }").empty());
  EXPECT_EQ(troubles("kernel = \"no_such\"").size(), 1u);
  EXPECT_EQ(troubles("kernel = \"03_shared_tile\"\ntoggles = { TILE = 17 }").size(), 1u);
  EXPECT_EQ(troubles("kernel = \"03_shared_tile\"\ntoggles = { NONE = 1 }").size(), 1u);
  EXPECT_EQ(troubles("kernel = \"03_shared_tile\"\nafter = { toggles = { TILE = 17 } }").size(), 1u);
}

// The README lists the sections of the courses that the chapters follow.
TEST(ShippedLessons, HaveThePagesThatTheReadmeNames) {
  std::ifstream file(lessons_folder() / "README.md");
  size_t named = 0;
  const std::regex page("`(\\d\\d_\\w+)/(\\w+)`");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| ")) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), page), end; at != end; ++at, ++named) {
      const Lesson* lesson = shipped().find((*at)[1].str());
      ASSERT_NE(lesson, nullptr) << line;
      EXPECT_NE(std::ranges::find(lesson->pages, (*at)[2].str(), &Page::id), lesson->pages.end()) << line;
    }
  }
  EXPECT_GE(named, 50U);
}

// Where a page asks for a point, the kinds are mixed over the chapters.
TEST(ShippedLessons, AskInEveryWay) {
  std::map<QuestionKind, std::set<std::string>> chapters;
  for (const Lesson& lesson : shipped().lessons)
    for (const Page& page : lesson.pages)
      if (page.question) chapters[page.question->kind].insert(lesson.id);
  EXPECT_EQ(chapters[QuestionKind::number].size(), shipped().lessons.size());
  EXPECT_EQ(chapters[QuestionKind::choice].size(), shipped().lessons.size());
  EXPECT_GE(chapters[QuestionKind::point].size(), 6U);
  EXPECT_GE(chapters[QuestionKind::order].size(), 4U);
}

class ShippedLesson : public testing::TestWithParam<std::string> {};
TEST_P(ShippedLesson, SaysWhatHolds) {
  const Lesson& lesson = *shipped().find(GetParam());
  const catalog::Catalog kernels = catalog::read_catalog(catalog::kernels_folder());
  FigureEvaluator evaluator(kernels);
  EXPECT_FALSE(lesson.title.chinese.empty());
  EXPECT_FALSE(lesson.summary.chinese.empty());
  for (const Page& page : lesson.pages) {
    std::vector<std::string> troubles = troubles_of(page, evaluator.evaluate(page), true);
    std::ranges::move(troubles_of_experiments(page, kernels), std::back_inserter(troubles));
    for (const std::string& trouble : troubles)
      ADD_FAILURE() << lesson.path.filename() << ":" << page.line << ": " << trouble;
  }
}
INSTANTIATE_TEST_SUITE_P(All, ShippedLesson, testing::ValuesIn(ids()),
                         [](const auto& lesson) { return "Lesson" + lesson.param; });

}  // namespace
}  // namespace gemmscope::lessons
