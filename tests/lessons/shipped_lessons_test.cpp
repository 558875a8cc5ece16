// Every page of every lesson that ships: its figures can be computed, what it says holds, in both languages.
#include <gtest/gtest.h>

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
