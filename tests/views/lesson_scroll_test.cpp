// What an answer reveals stays in sight when the page gets longer, or its panel less high, after the answer.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "drawing/text_boxes.h"
#include "session/workspace.h"
#include "shell/offscreen.h"
#include "views/lesson_view.h"

namespace gemmscope::views {
namespace {

constexpr int kFramesToRest = 8;

class LessonScroll : public testing::Test {
 protected:
  void SetUp() override {
    auto target = shell::Offscreen::create({.size = {320, 500}, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
    lessons::Page page;
    page.id = "page";
    page.title.english = "A title";
    for (int i = 0; i < 12; ++i) {
      page.text.english += "A text that takes more than one line of this panel. ";
      page.reveal.english += "What is revealed takes more than one line, too. ";
    }
    page.question.emplace();
    page.question->ask.english = "What?";
    page.question->choices = {{{.english = "This"}, "1"}, {{.english = "That"}, "0"}};
    lessons::Lesson lesson;
    lesson.id = "chapter";
    lesson.pages = {page};
    auto list = std::make_shared<lessons::LessonList>();
    list->lessons = {lesson};
    session::LessonState& state = workspace_.state().lesson;
    state.lessons = list;
    state.visible = true;
    state.contents = false;
    state.values = std::make_shared<lessons::FigureValues>();
  }
  void frames(float height = 500, float wheel = 0) {
    for (int i = 0; i < kFramesToRest; ++i) {
      target_->set_input({.mouse = drawing::Point{100, 200}, .wheel = i == 0 ? wheel : 0});
      target_->begin_frame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({320, height});
      ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
      view_.draw(workspace_.state(), workspace_.requests());
      ImGui::End();
      target_->end_frame();
    }
  }
  // Of the part that scrolls.
  static const ImGuiWindow& page() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (std::string_view(window->Name).find("##page") != std::string_view::npos) return *window;
    ADD_FAILURE() << "the page has no part that scrolls";
    return *ImGui::GetCurrentContext()->Windows[0];
  }
  // But for the distance to a whole line.
  static bool end_is_in_sight() {
    return page().ScrollMax.y > 0 && page().Scroll.y + 8 >= page().ScrollMax.y;
  }

  std::unique_ptr<shell::Offscreen> target_;
  session::Workspace workspace_{[] {}, {}};
  LessonView view_;
};

TEST_F(LessonScroll, TheEndStaysInSight) {
  session::LessonState& state = workspace_.state().lesson;
  frames();
  EXPECT_EQ(page().Scroll.y, 0) << "a question is read from its start";
  reveal(state);
  frames();
  EXPECT_TRUE(end_is_in_sight()) << page().Scroll.y << " of " << page().ScrollMax.y;
  state.unavailable = "A sentence that comes later and is so long that it takes two lines, or three.";
  frames();
  EXPECT_TRUE(end_is_in_sight()) << page().Scroll.y << " of " << page().ScrollMax.y;
  frames(420);
  EXPECT_TRUE(end_is_in_sight()) << page().Scroll.y << " of " << page().ScrollMax.y;
}

TEST_F(LessonScroll, WhoHasScrolledStaysThere) {
  session::LessonState& state = workspace_.state().lesson;
  frames();
  reveal(state);
  frames();
  const float end = page().Scroll.y;
  frames(500, 2);
  const float place = page().Scroll.y;
  ASSERT_LT(place, end) << "the wheel scrolls";
  state.unavailable = "A sentence that comes later and is so long that it takes two lines, or three.";
  frames();
  EXPECT_EQ(page().Scroll.y, place);
}

// Under a title of two lines there is little room.
TEST_F(LessonScroll, TheButtonsStayInSightInALowPanel) {
  session::LessonState& state = workspace_.state().lesson;
  for (const float height : {290.0f, 330.0f, 420.0f}) {
    frames(height);
    reveal(state);
    frames(height);
    const std::vector<drawing::TextBox> boxes = drawing::read_text_boxes(*ImGui::GetDrawData());
    const auto back =
        std::ranges::find_if(boxes, [](const drawing::TextBox& box) { return box.text == "Back"; });
    ASSERT_NE(back, boxes.end()) << height;
    EXPECT_FALSE(back->cut_above_below()) << height;
  }
}

}  // namespace
}  // namespace gemmscope::views
