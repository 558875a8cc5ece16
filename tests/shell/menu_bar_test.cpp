// Uses the menus as a person would, by mouse and by keys.
#include "shell/menu_bar.h"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "drawing/widgets.h"
#include "shell/offscreen.h"

namespace gemmscope::shell {
namespace {

class MenuBarTest : public testing::Test {
 protected:
  void SetUp() override {
    auto target = Offscreen::create({.size = {800, 600}});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
    for (const char* id : {"time.a", "time.b", "view.a", "view.b"})
      ASSERT_TRUE(table_.add({.id = id,
                              .title = std::string("Item ") + id,
                              .category = std::string(id).starts_with("time") ? "Time" : "View",
                              .run = [] {},
                              .enabled = [id] { return std::string_view(id) != "view.b"; }}));
    for (int i = 0; i < 3; ++i) frame();
  }
  void frame(const SimulatedInput& input = {}) {
    target_->set_input(input);
    target_->begin_frame();
    drawing::begin_root();
    ImGui::SetCursorScreenPos({20, 10});
    if (std::string id = menu_.draw(table_); !id.empty()) chosen_ = id;
    drawing::end_root();
    target_->end_frame();
  }
  void frames_at(drawing::Point at, int count) {
    for (int i = 0; i < count; ++i) frame({.mouse = at});
  }
  void click(drawing::Point at) {
    frames_at(at, 2);
    frame({.mouse = at, .left_button = true});
    frames_at(at, 3);
  }
  void press(const char* key) {
    target_->press(*session::parse_chord(key));
    for (int i = 0; i < 4; ++i) frame();
  }
  // The menu's window; null: none is open.
  static const ImGuiWindow* open_menu() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.OpenPopupStack.Size == 0 ? nullptr : g.OpenPopupStack[0].Window;
  }

  std::unique_ptr<Offscreen> target_;
  session::CommandTable table_;
  MenuBar menu_;
  std::string chosen_;
  static constexpr drawing::Point kView{40, 20}, kTime{100, 20};
};

TEST_F(MenuBarTest, OpensBelowItsTitle) {
  click(kView);
  const ImGuiWindow* menu = open_menu();
  ASSERT_NE(menu, nullptr);
  EXPECT_GE(menu->Pos.y, 20 + ImGui::GetFontSize() / 2) << "it covers the bar";
  EXPECT_NEAR(menu->Pos.x, 20, 4);
}

TEST_F(MenuBarTest, AnotherTitleSwitchesByPointingAndByClicking) {
  click(kTime);
  const ImGuiWindow* first = open_menu();
  frames_at(kView, 4);
  ASSERT_NE(open_menu(), nullptr);
  EXPECT_NE(open_menu(), first);
  click(kTime);
  EXPECT_EQ(open_menu(), first);
  frames_at(kTime, 60);  // a second
  click(kTime);
  EXPECT_EQ(open_menu(), nullptr) << "its own title closes it";
}

TEST_F(MenuBarTest, EscapeCloses) {
  click(kTime);
  ASSERT_NE(open_menu(), nullptr);
  press("Escape");
  EXPECT_EQ(open_menu(), nullptr);
  EXPECT_EQ(chosen_, "");
}

TEST_F(MenuBarTest, ArrowsMoveAndEnterChooses) {
  menu_.open();
  for (int i = 0; i < 4; ++i) frame();
  ASSERT_NE(open_menu(), nullptr);
  const ImGuiWindow* first = open_menu();
  press("Right");
  EXPECT_NE(open_menu(), first);
  press("Left");
  EXPECT_EQ(open_menu(), first);
  press("Down");
  press("Enter");
  EXPECT_TRUE(chosen_.starts_with("view.")) << chosen_;
  EXPECT_EQ(open_menu(), nullptr);
}

TEST_F(MenuBarTest, AGreyedItemIsGivenToTheCaller) {
  click(kView);
  const ImGuiWindow* menu = open_menu();
  ASSERT_NE(menu, nullptr);
  click({menu->Pos.x + 30, menu->Pos.y + menu->Size.y - 16});
  EXPECT_EQ(chosen_, "view.b");
}

}  // namespace
}  // namespace gemmscope::shell
