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
  FigureEvaluator evaluator(catalog::read_catalog(catalog::kernels_folder()));
  EXPECT_FALSE(lesson.title.chinese.empty());
  EXPECT_FALSE(lesson.summary.chinese.empty());
  for (const Page& page : lesson.pages)
    for (const std::string& trouble : troubles_of(page, evaluator.evaluate(page), true))
      ADD_FAILURE() << lesson.path.filename() << ":" << page.line << ": " << trouble;
}
INSTANTIATE_TEST_SUITE_P(All, ShippedLesson, testing::ValuesIn(ids()),
                         [](const auto& lesson) { return "Lesson" + lesson.param; });

}  // namespace
}  // namespace gemmscope::lessons
