// Widgets react to the mouse at any window size.
#include "drawing/widgets.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <array>
#include <functional>

#include "drawing/plots.h"
#include "drawing/text_boxes.h"
#include "drawing/text_fit.h"
#include "shell/offscreen.h"

namespace gemmscope::drawing {
namespace {

class Widgets : public testing::Test {
 protected:
  void open(shell::PixelSize size) {
    auto target = shell::Offscreen::create({.size = size, .content_scale = 1.0f});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
  }
  void frame(const std::function<void()>& content, const shell::SimulatedInput& input = {}) {
    target_->set_input(input);
    target_->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    content();
    ImGui::End();
    target_->end_frame();
  }
  // Moves there, presses and releases.
  void click(Point at, const std::function<void()>& content) {
    frame(content, {.mouse = at});
    frame(content, {.mouse = at, .left_button = true});
    frame(content, {.mouse = at});
  }

  std::unique_ptr<shell::Offscreen> target_;
};

TEST_F(Widgets, SegmentedKeepsToWhatCanBeChosen) {
  open({400, 200});
  const std::array<std::string, 3> labels{"64", "128", "256"};
  const std::array<std::string, 3> why_not{"", "", "too large"};
  int chosen = 0, changes = 0;
  ImVec2 min, max;
  const auto content = [&] {
    changes += segmented("tile", labels, why_not, chosen) ? 1 : 0;
    min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  };
  frame(content);
  const float middle = (min.y + max.y) / 2;
  click({max.x - 8, middle}, content);
  EXPECT_EQ(chosen, 0);
  EXPECT_EQ(changes, 0);
  click({(min.x + max.x) / 2, middle}, content);
  EXPECT_EQ(chosen, 1) << "its neighbour can be chosen";
}

TEST_F(Widgets, SegmentedChoosesThePartUnderTheMouse) {
  open({400, 200});
  const std::array<std::string, 3> labels{"64", "128", "256"};
  int chosen = 0, changes = 0;
  ImVec2 min, max;
  const auto content = [&] {
    changes += segmented("tile", labels, chosen) ? 1 : 0;
    min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  };
  frame(content);
  click({max.x - 8, (min.y + max.y) / 2}, content);
  EXPECT_EQ(chosen, 2);
  EXPECT_EQ(changes, 1);
  click({max.x - 8, (min.y + max.y) / 2}, content);
  EXPECT_EQ(changes, 1);
  click({min.x + 8, (min.y + max.y) / 2}, content);
  EXPECT_EQ(chosen, 0);
}

TEST_F(Widgets, SwitchTurnsOnAndOff) {
  open({400, 200});
  bool on = false;
  const auto content = [&] { toggle_switch("Swizzle", on); };
  click({20, 24}, content);
  EXPECT_TRUE(on);
  click({60, 24}, content);  // its label works too
  EXPECT_FALSE(on);
}

TEST_F(Widgets, DisabledIconButtonsDoNothing) {
  open({400, 200});
  int pressed = 0;
  bool enabled = false;
  const auto content = [&] { pressed += icon_button("play", Icon::play, "Play", "Space", enabled) ? 1 : 0; };
  click({20, 20}, content);
  EXPECT_EQ(pressed, 0);
  enabled = true;
  click({20, 20}, content);
  EXPECT_EQ(pressed, 1);
}

TEST_F(Widgets, SliderFollowsTheMouseAndStaysInRange) {
  open({400, 200});
  float value = 0.5f;
  const auto content = [&] { slider("k", value, 0, 1, 200); };
  frame(content, {.mouse = Point{30, 22}});
  frame(content, {.mouse = Point{30, 22}, .left_button = true});
  frame(content, {.mouse = Point{1000, 22}, .left_button = true});
  EXPECT_EQ(value, 1);
  frame(content, {.mouse = Point{-1000, 22}, .left_button = true});
  EXPECT_EQ(value, 0);
}

// A word that ends at the edge reads like another word: "two fours, 64 apa".
TEST_F(Widgets, AListShortensWhatDoesNotFit) {
  open({400, 200});
  const auto shown_at = [&](float width) {
    frame([&] {
      ImGui::SetNextItemWidth(width);
      if (begin_combo("##gap", "two fours, 64 apart")) ImGui::EndCombo();
    });
    const std::vector<TextBox> boxes = read_text_boxes(*ImGui::GetDrawData());
    return boxes.empty() ? std::string() : boxes.front().text;
  };
  EXPECT_EQ(shown_at(300), "two fours, 64 apart");
  const std::string cut = shown_at(110);
  EXPECT_TRUE(cut.starts_with("two f")) << cut;
  EXPECT_TRUE(cut.ends_with(kEllipsis)) << cut;
}

// A window of 200 × 100 pixels is legal; one of 1 × 1 can happen for a moment.
TEST_F(Widgets, SurviveTinyWindows) {
  for (const shell::PixelSize size : {shell::PixelSize{200, 100}, {40, 20}, {1, 1}}) {
    open(size);
    for (int i = 0; i < 3; ++i) {
      frame([] {
        heading("A heading that is longer than the window", "and a note");
        chip("measured", color(Role::measured));
        key_caps("Ctrl+Shift+P");
        Canvas canvas("plots");
        const std::array<float, 2> values{1, 0};
        draw_sparkline(canvas, canvas.area(), values, color(Role::math));
        const std::array<std::uint32_t, 2> counts{3, 0};
        const std::array<Color, 1> colors{color(Role::memory)};
        draw_density(canvas, canvas.area(), counts, colors);
        for (int icon = 0; icon < static_cast<int>(Icon::count); ++icon) {
          draw_icon(canvas, static_cast<Icon>(icon), canvas.area(), color(Role::text));
        }
      });
    }
  }
}

// Every icon leaves a mark, and none leaves its box.
TEST_F(Widgets, IconsStayInTheirBoxes) {
  open({64, 64});
  for (int icon = 0; icon < static_cast<int>(Icon::count); ++icon) {
    const auto content = [&] {
      Canvas canvas(Rect{0, 0, 64, 64});
      draw_icon(canvas, static_cast<Icon>(icon), {16, 16, 48, 48}, {255, 255, 255});
    };
    shell::Image image;
    frame(content);
    target_->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({64, 64});
    ImGui::Begin("all", nullptr, ImGuiWindowFlags_NoDecoration);
    content();
    ImGui::End();
    target_->end_frame(&image);
    const Color ground = color(Role::background);
    int inside = 0, outside = 0;
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) {
        const bool marked = image.pixels[(static_cast<std::size_t>(y) * 64 + x) * 3] != ground.r;
        const bool in_box = x >= 15 && x < 49 && y >= 15 && y < 49;
        (in_box ? inside : outside) += marked ? 1 : 0;
      }
    }
    EXPECT_GT(inside, 20) << "icon " << icon;
    EXPECT_EQ(outside, 0) << "icon " << icon;
  }
}

}  // namespace
}  // namespace gemmscope::drawing
