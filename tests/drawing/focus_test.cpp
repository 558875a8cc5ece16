// Tab reaches fields, controls and panels, and the keys act on what has the focus.
#include "drawing/focus.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <array>
#include <functional>

#include "drawing/widgets.h"
#include "shell/offscreen.h"

namespace gemmscope::drawing {
namespace {

class FocusTest : public testing::Test {
 protected:
  void SetUp() override {
    auto target = shell::Offscreen::create({.size = {500, 300}, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
    drop_focus();
    frame(), frame();
  }
  void frame() {
    target_->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    presses_ += quiet_button("press") ? 1 : 0;
    segmented("tile", labels_, why_not_, chosen_);
    ImGui::InputText("##field", text_.data(), text_.size());
    tab_stop(StopKind::field, "field");
    ImGui::End();
    target_->end_frame();
  }
  void press(const char* key) {
    target_->press(*session::parse_chord(key));
    frame();
    for (int i = 0; i < 3; ++i) frame();
  }
  void move(int by) {
    move_focus(by);
    for (int i = 0; i < 3; ++i) frame();
  }

  std::unique_ptr<shell::Offscreen> target_;
  std::array<std::string, 3> labels_{"64", "128", "256"}, why_not_{"", "too large", ""};
  std::array<char, 32> text_{};
  int presses_ = 0, chosen_ = 0;
};

TEST_F(FocusTest, WithoutItKeysDoNothing) {
  EXPECT_FALSE(control_has_focus());
  press("Enter"), press("Right");
  EXPECT_EQ(presses_, 0);
  EXPECT_EQ(chosen_, 0);
}

TEST_F(FocusTest, EnterAndSpacePressAButton) {
  move(1);
  EXPECT_TRUE(control_has_focus());
  press("Enter");
  EXPECT_EQ(presses_, 1);
  press("Space");
  EXPECT_EQ(presses_, 2);
  press("Escape");
  EXPECT_FALSE(control_has_focus());
  press("Enter");
  EXPECT_EQ(presses_, 2);
}

TEST_F(FocusTest, ArrowsChangeAChoiceAndSkipWhatCannotBeChosen) {
  move(2);
  press("Right");
  EXPECT_EQ(chosen_, 2);
  press("Right");
  EXPECT_EQ(chosen_, 2) << "it is the last";
  press("Left");
  EXPECT_EQ(chosen_, 0);
}

TEST_F(FocusTest, AFieldIsTypedInAtOnceAndLeftBackwards) {
  move(-1);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  EXPECT_FALSE(control_has_focus()) << "letters and arrows are the field's";
  target_->set_input({.typed = "512"});
  frame();
  EXPECT_STREQ(text_.data(), "512");
  move(-1);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
  press("Right");
  EXPECT_EQ(chosen_, 2) << "the choice lies before the field";
}

TEST_F(FocusTest, AFieldIsFoundByItsName) {
  focus_named("field");
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  drop_focus();
  focus_named("no such field");
  for (int i = 0; i < 3; ++i) frame();
  SUCCEED() << "the wish is forgotten";
}

}  // namespace
}  // namespace gemmscope::drawing
