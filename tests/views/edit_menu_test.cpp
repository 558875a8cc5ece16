// The menu of an instruction, used by mouse and by keys.
#include "views/edit_menu.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <chrono>
#include <thread>

#include "drawing/widgets.h"
#include "session/app_commands.h"
#include "session/workspace.h"
#include "shell/offscreen.h"
#include "views/code_view.h"

namespace gemmscope::views {
namespace {

class EditMenuTest : public testing::Test {
 protected:
  void SetUp() override {
    auto target = shell::Offscreen::create({.size = {900, 900}, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
    experiment::Experiment first;
    first.kernel = "07_register_tile";
    first.problem.m = first.problem.n = first.problem.k = 128;
    workspace_ = std::make_unique<session::Workspace>([] {}, first);
    table_ = std::make_unique<session::CommandTable>(session::make_commands(*workspace_, flags_));
    workspace_->state().commands = table_.get();
    settle();
    ASSERT_TRUE(session::edited_instruction(workspace_->state()).has_value());
  }
  void frame(const shell::SimulatedInput& input = {}) {
    workspace_->begin_frame(0);
    target_->set_input(input);
    target_->begin_frame();
    drawing::begin_root();
    drawing::begin_panel("code");
    view_.draw(workspace_->state(), workspace_->requests());
    drawing::end_panel();
    drawing::end_root();
    target_->end_frame();
    if (const std::string id = workspace_->requests().command; !id.empty()) {
      ran_.push_back(id);
      (void)table_->run(id);
    }
    workspace_->end_frame();
  }
  void settle() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do {
      frame();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while ((workspace_->waiting() || workspace_->state().progress) &&
             std::chrono::steady_clock::now() < until);
    frame();
  }
  void press(const char* key) {
    target_->press(*session::parse_chord(key));
    for (int i = 0; i < 4; ++i) frame();
  }
  static bool is_open() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }
  bool is_on() { return table_->find("code.menu")->checked(); }

  session::AppFlags flags_;
  std::unique_ptr<shell::Offscreen> target_;
  std::unique_ptr<session::Workspace> workspace_;
  std::unique_ptr<session::CommandTable> table_;
  CodeView view_;
  std::vector<std::string> ran_;
};

TEST_F(EditMenuTest, OpensByTheCommandAndClosesByEscape) {
  ASSERT_TRUE(table_->run("code.menu"));
  for (int i = 0; i < 4; ++i) frame();
  EXPECT_TRUE(is_open());
  EXPECT_TRUE(is_on());
  press("Escape");
  EXPECT_FALSE(is_open());
  EXPECT_FALSE(is_on());
  EXPECT_TRUE(workspace_->state().experiment.changes.edits.empty());
}

TEST_F(EditMenuTest, AnArrowAndEnterMakeAnEdit) {
  ASSERT_TRUE(table_->run("code.menu"));
  for (int i = 0; i < 12; ++i) frame();
  press("Down");
  press("Enter");
  settle();
  ASSERT_FALSE(ran_.empty());
  EXPECT_TRUE(ran_.front().starts_with("code.")) << ran_.front();
  EXPECT_NE(ran_.front(), "code.menu");
  EXPECT_EQ(workspace_->state().experiment.changes.edits.size(), 1u);
  EXPECT_FALSE(is_on());
}

TEST_F(EditMenuTest, ARightClickSelectsTheInstructionAndOpensIt) {
  for (float y = 880; y > 400 && !is_open(); y -= 20) {
    frame({.mouse = drawing::Point{400, y}});
    frame({.mouse = drawing::Point{400, y}, .right_button = true});
    for (int i = 0; i < 3; ++i) frame({.mouse = drawing::Point{400, y}});
  }
  ASSERT_TRUE(is_open());
  EXPECT_TRUE(is_on());
  EXPECT_TRUE(workspace_->state().code.selected.has_value());
  // A click beside it closes it.
  frame({.mouse = drawing::Point{890, 10}});
  frame({.mouse = drawing::Point{890, 10}, .left_button = true});
  for (int i = 0; i < 4; ++i) frame({.mouse = drawing::Point{890, 10}});
  EXPECT_FALSE(is_open());
  EXPECT_FALSE(is_on());
}

}  // namespace
}  // namespace gemmscope::views
