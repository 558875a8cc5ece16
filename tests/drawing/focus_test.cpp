// Tab reaches fields, controls and panels, and the keys act on what has the focus.
#include "drawing/focus.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <array>
#include <functional>

#include "drawing/canvas.h"
#include "drawing/number_field.h"
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
    field_ = {ImGui::GetItemRectMin().x, ImGui::GetItemRectMin().y, ImGui::GetItemRectMax().x,
              ImGui::GetItemRectMax().y};
    tab_stop(StopKind::field, "field");
    if (with_number_) whole_number_field("##number", number_, 8);
    Canvas canvas("canvas", {200, 40});
    for (int i = 0; with_spots_ && i < 2; ++i) {
      const float left = 100.0f * static_cast<float>(i);
      const Canvas::SpotUse use = canvas.spot({left, 0, left + 90, 40}, i == 0 ? "one" : "two", enabled_);
      spots_[static_cast<size_t>(i)] += use.pressed ? 1 : 0;
      places_[static_cast<size_t>(i)] = {canvas.screen_area().left + left + 45,
                                         canvas.screen_area().top + 20};
    }
    ImGui::End();
    target_->end_frame(&image_);
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

  bool field_is_marked() const {
    const auto x = static_cast<size_t>(field_.center().x), y = static_cast<size_t>(field_.bottom + 1);
    const unsigned char* const p = &image_.pixels[(y * static_cast<size_t>(image_.size.width) + x) * 3];
    return Color{p[0], p[1], p[2]} == color(Role::accent);
  }

  std::unique_ptr<shell::Offscreen> target_;
  shell::Image image_;
  Rect field_;
  std::array<std::string, 3> labels_{"64", "128", "256"}, why_not_{"", "too large", ""};
  std::array<char, 32> text_{};
  int presses_ = 0, chosen_ = 0;
  bool with_spots_ = false, with_number_ = false, enabled_ = true;
  int64_t number_ = 16;
  std::array<int, 2> spots_{};
  std::array<Point, 2> places_{};
};

// Dear ImGui sees the key, too, and would move into the window's first field.
TEST_F(FocusTest, TabActivatesNoFieldBesideTheStop) {
  move_focus(1);
  press("Tab");
  EXPECT_TRUE(control_has_focus());
  EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "a field of the window takes the keys";
  press("Enter");
  EXPECT_EQ(presses_, 1);
}

// A button that a canvas draws is pressed by a click and by keys; one that is not enabled is no stop.
TEST_F(FocusTest, PartsOfACanvasAreStops) {
  const auto presses = [&](int one, int two) { return spots_ == std::array<int, 2>{one, two}; };
  with_spots_ = true;
  frame(), frame();
  move(-1);  // the last stop
  EXPECT_TRUE(control_has_focus());
  press("Enter");
  EXPECT_TRUE(presses(0, 1));
  move(-1);
  press("Space");
  EXPECT_TRUE(presses(1, 1));
  target_->set_input({.mouse = places_[1]});
  frame(), frame();
  target_->set_input({.mouse = places_[1], .left_button = true});
  frame();
  target_->set_input({});
  frame(), frame();
  EXPECT_TRUE(presses(1, 2));
  enabled_ = false;
  frame(), frame();
  move(-1);  // now the field is the last stop
  press("Enter");
  EXPECT_TRUE(presses(1, 2));
  EXPECT_FALSE(control_has_focus());
}

// Between its buttons the field is a part of a group.
TEST_F(FocusTest, ANumberWithButtonsIsAStop) {
  with_number_ = true;
  frame(), frame();
  move(-1);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  target_->set_input({.typed = "48"});
  frame();
  target_->set_input({});
  press("Enter");
  EXPECT_EQ(number_, 48);
}

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

// Who types 512, Enter and a letter sees that the letter is no longer the field's.
TEST_F(FocusTest, AFieldIsMarkedAsLongAsItTakesWhatIsTyped) {
  EXPECT_FALSE(field_is_marked());
  for (const bool by_mouse : {false, true}) {
    if (by_mouse) {
      target_->set_input({.mouse = field_.center(), .left_button = true});
      frame();
      target_->set_input({});
      frame();
    } else {
      focus_named("field");
    }
    for (int i = 0; i < 3; ++i) frame();
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    EXPECT_TRUE(field_is_marked());
    press("Enter");
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
    EXPECT_FALSE(field_is_marked());
    press("Enter");
    EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "it has no focus to act on";
  }
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
