// Reads the texts of lessons' pages as they are drawn, before and after the answer. A long page of each
// chapter in every run; all pages, on a desk and presented, on request: ctest -C on_request -L all_pages.
// With GEMMSCOPE_PAGE_PICTURES=FOLDER that also keeps the pictures, to be looked at.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "catalog/catalog.h"
#include "drawing/text_boxes.h"
#include "experiment/recording.h"
#include "lessons/read_lesson.h"
#include "shell/run.h"
#include "text_faults.h"

namespace gemmscope::shell {
namespace {

const lessons::LessonList& shipped() {
  static const lessons::LessonList list = lessons::read_lessons(lessons::lessons_folder());
  return list;
}

std::vector<std::string> chapters() {
  std::vector<std::string> ids;
  for (const lessons::Lesson& lesson : shipped().lessons) ids.push_back(lesson.id);
  return ids;
}

std::vector<drawing::TextBox>& last_frame() {
  static std::vector<drawing::TextBox> boxes;
  return boxes;
}

class PageTexts : public testing::TestWithParam<std::string> {
 protected:
  PageTexts() : start_{{}, *kernels().find("07_register_tile")} {
    start_.experiment.kernel = start_.kernel.id;
    for (experiment::RecordingFile& file : experiment::read_recordings(experiment::recordings_folder()).files)
      start_.recordings.insert(start_.recordings.end(), file.recording.begin(), file.recording.end());
  }

  static const catalog::Catalog& kernels() {
    static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
    return catalog;
  }

  void check(const lessons::Page& page, PictureRequest request) {
    const char* const folder = std::getenv("GEMMSCOPE_PAGE_PICTURES");
    request.drawn = folder != nullptr;
    start_.lesson = GetParam() + "/" + page.id;
    const std::string name =
        fmt::format("{}.{}{}{}.{}x{}{}", GetParam(), page.id,
                    request.language == Language::chinese ? ".zh" : "", request.light ? ".light" : "",
                    request.size.width, request.size.height, request.jump.empty() ? "" : "." + request.jump);
    drawing::listen_to_text_boxes([](const std::vector<drawing::TextBox>& boxes) { last_frame() = boxes; });
    const Result<PictureResult> picture = render_picture(start_, request);
    drawing::listen_to_text_boxes(nullptr);
    ASSERT_TRUE(picture) << name << ": " << picture.error().message;
    EXPECT_GT(last_frame().size(), 20u) << name;
    for (const std::string& fault : window::faults_of(last_frame())) ADD_FAILURE() << name << ": " << fault;
    if (folder != nullptr) {
      EXPECT_TRUE(write_png(picture->image, fmt::format("{}/{}.png", folder, name)));
    }
  }

  Start start_;
};

TEST_P(PageTexts, OfTheLongestAreWholeAndApart) {
  const lessons::Lesson& lesson = *shipped().find(GetParam());
  const auto longest = std::ranges::max_element(lesson.pages, {}, [](const lessons::Page& page) {
    return page.text.english.size() + page.reveal.english.size();
  });
  PictureRequest request{.size = {1280, 720}, .jump = "lesson.reveal"};
  if ((&lesson - shipped().lessons.data()) % 2 == 1) request.language = Language::chinese;
  check(*longest, request);
}

// The corner names the key that was pressed, not a command with which a page sets its scene.
TEST(PresentedPage, NamesNoKeyOfItsOwnCommands) {
  static constexpr std::string_view kCommand = "To the access with most excess sectors";
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  Start start{{}, *catalog.find("01_naive_rows")};
  start.experiment.kernel = start.kernel.id;
  const auto names = [&](const std::string& lesson, const std::string& jump) {
    start.lesson = lesson;
    drawing::listen_to_text_boxes([](const std::vector<drawing::TextBox>& boxes) { last_frame() = boxes; });
    const Result<PictureResult> picture =
        render_picture(start, {.size = {1920, 1080}, .jump = jump, .drawn = false});
    drawing::listen_to_text_boxes(nullptr);
    EXPECT_TRUE(picture) << picture.error().message;
    return std::ranges::any_of(last_frame(),
                               [](const drawing::TextBox& box) { return box.text == kCommand; });
  };
  const lessons::Lesson& lesson = *shipped().find("01_first_gemm");
  const auto page = std::ranges::find(lesson.pages, "which_load", &lessons::Page::id);
  ASSERT_NE(page, lesson.pages.end());
  EXPECT_NE(std::ranges::find(page->reveal_show, "numbers.excess_sectors"), page->reveal_show.end());
  EXPECT_FALSE(names("01_first_gemm/which_load", "present.window,lesson.reveal"));
}

// As on a desk, and as in front of a class. The languages and themes alternate; 2 takes the other ones.
TEST_P(PageTexts, OfAllAreWholeAndApart) {
  const char* const round = std::getenv("GEMMSCOPE_ALL_TEXTS");
  if (round == nullptr) GTEST_SKIP() << "run on request: GEMMSCOPE_ALL_TEXTS=1, and 2";
  size_t turn = std::string(round) == "2" ? 1 : 0;
  for (const lessons::Page& page : shipped().find(GetParam())->pages) {
    ++turn;
    for (const bool presents : {false, true})
      for (const char* reveal : {"", "lesson.reveal"}) {
        PictureRequest request;
        request.size = presents ? PixelSize{1920, 1080} : PixelSize{1280, 720};
        request.jump = presents ? "present.window" : "";
        if (*reveal != 0) request.jump += (request.jump.empty() ? "" : ",") + std::string(reveal);
        request.language = (turn % 2 == 0) == presents ? Language::english : Language::chinese;
        request.light = turn % 4 < 2;
        check(page, request);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PageTexts, testing::ValuesIn(chapters()),
                         [](const auto& lesson) { return "Lesson" + lesson.param; });

}  // namespace
}  // namespace gemmscope::shell
