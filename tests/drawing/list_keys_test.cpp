// A list that opens starts at its chosen item: Enter keeps it, and the arrow keys go on from it.
#include <gtest/gtest.h>
#include <imgui.h>

#include <array>

#include "drawing/widgets.h"
#include "session/key_codes.h"
#include "shell/offscreen.h"

namespace gemmscope::drawing {
namespace {

constexpr std::array<const char*, 5> kNames = {"one", "two", "three", "four", "five"};

class ListKeys : public testing::Test {
 protected:
  void SetUp() override {
    auto target = shell::Offscreen::create({.size = {300, 400}, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
  }
  void frame(const shell::SimulatedInput& input = {}) {
    target_->set_input(input);
    target_->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    if (begin_combo("##list", kNames[chosen_])) {
      open_ = true;
      for (size_t i = 0; i < kNames.size(); ++i)
        if (list_item(kNames[i], i == chosen_)) chosen_ = i;
      ImGui::EndCombo();
    } else {
      open_ = false;
    }
    ImGui::End();
    target_->end_frame();
  }
  void press(int key) {
    target_->press({key});
    for (int i = 0; i < 4; ++i) frame();
  }
  void open() {
    frame({.mouse = Point{40, 20}});
    frame({.mouse = Point{40, 20}, .left_button = true});
    frame({.mouse = Point{40, 20}});
    for (int i = 0; i < 4; ++i) frame();
    ASSERT_TRUE(open_);
  }

  std::unique_ptr<shell::Offscreen> target_;
  size_t chosen_ = 2;
  bool open_ = false;
};

TEST_F(ListKeys, EnterKeepsWhatIsChosen) {
  open();
  press(session::key::kEnter);
  EXPECT_FALSE(open_);
  EXPECT_EQ(chosen_, 2u);
}

TEST_F(ListKeys, ArrowsStartAtWhatIsChosen) {
  open();
  press(session::key::kDown);
  press(session::key::kEnter);
  EXPECT_EQ(chosen_, 3u);
  open();
  press(session::key::kUp);
  press(session::key::kUp);
  press(session::key::kEnter);
  EXPECT_EQ(chosen_, 1u);
}

}  // namespace
}  // namespace gemmscope::drawing
