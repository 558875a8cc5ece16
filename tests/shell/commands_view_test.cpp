// Uses the palette and the help page as a person would.
#include "shell/commands_view.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include "shell/offscreen.h"

namespace gemmscope::shell {
namespace {

class CommandsView : public testing::Test {
 protected:
  void SetUp() override {
    auto target = Offscreen::create({.size = {1000, 700}});
    ASSERT_TRUE(target) << target.error().message;
    target_ = std::move(*target);
    for (const char* title : {"Step forward", "Step back", "Next bank conflict", "Run on GPU"}) {
      ASSERT_TRUE(table_.add(
          {.id = title, .title = title, .category = "Time", .run = [this, title] { ran_ = title; }}));
      things_.push_back({.id = title,
                         .kind = session::ThingKind::command,
                         .title = title,
                         .also = {},
                         .key = {},
                         .needs = {},
                         .choose = [this, title] { ran_ = title; }});
    }
  }
  void frame() {
    target_->begin_frame();
    if (const auto chosen = palette_.draw([this] { return things_; }, {})) chosen->choose();
    draw_help(table_, help_open_);
    target_->end_frame();
  }
  void press(const char* key) {
    target_->press(*session::parse_chord(key));
    frame();
    frame();  // releases the key
  }
  void type(const char* text) {
    target_->set_input({.typed = text});
    frame();
  }

  std::unique_ptr<Offscreen> target_;
  session::CommandTable table_;
  std::vector<session::FoundThing> things_;
  CommandPalette palette_;
  bool help_open_ = false;
  std::string ran_;
};

TEST_F(CommandsView, TypeAndEnterRunsTheBestMatch) {
  palette_.open();
  frame(), frame();
  type("conf");
  press("Enter");
  EXPECT_EQ(ran_, "Next bank conflict");
  EXPECT_FALSE(palette_.is_open());
}

TEST_F(CommandsView, ArrowsChoose) {
  palette_.open();
  frame(), frame();
  press("Down");
  press("Enter");
  EXPECT_EQ(ran_, "Step back");
  palette_.open();
  frame(), frame();
  press("Up");  // from the first around to the last
  press("Enter");
  EXPECT_EQ(ran_, "Run on GPU");
}

TEST_F(CommandsView, EscapeClosesAndRunsNothing) {
  palette_.open();
  frame(), frame();
  type("step");
  press("Escape");
  EXPECT_FALSE(palette_.is_open());
  EXPECT_EQ(ran_, "");
}

TEST_F(CommandsView, ClickBesideCloses) {
  palette_.open();
  frame(), frame();
  target_->set_input({.mouse = drawing::Point{5, 690}});
  frame();
  target_->set_input({.mouse = drawing::Point{5, 690}, .left_button = true});
  frame();
  EXPECT_FALSE(palette_.is_open());
}

TEST_F(CommandsView, NoMatchRunsNothing) {
  palette_.open();
  frame(), frame();
  type("qqqq");
  press("Enter");
  EXPECT_EQ(ran_, "");
  EXPECT_TRUE(palette_.is_open());
}

TEST_F(CommandsView, OpensAgainEmpty) {
  for (int round = 0; round < 2; ++round) {
    palette_.open();
    frame(), frame();
    type("gpu");
    press("Enter");
    EXPECT_EQ(ran_, "Run on GPU");
    ran_.clear();
  }
}

TEST_F(CommandsView, HelpClosesWithEscape) {
  help_open_ = true;
  frame(), frame();
  EXPECT_TRUE(help_open_);
  press("Escape");
  EXPECT_FALSE(help_open_);
  help_open_ = true;
  frame(), frame();
  EXPECT_TRUE(help_open_);
}

}  // namespace
}  // namespace gemmscope::shell
