// Presenter mode: what its keys do, in the order in which a lecturer with a clicker presses them.
#include "drawing/palette.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class Presenting : public testing::Test {
 protected:
  void SetUp() override {
    driver_ = std::make_unique<WorkspaceDriver>(small_experiment("07_register_tile"));
    commands_ = make_commands(driver_->workspace(), flags_);
    driver_->state().commands = &commands_;
    ASSERT_TRUE(driver_->settle());
  }
  void TearDown() override { drawing::set_current_theme(drawing::Theme::dark); }

  // As the program's loop does it. Returns the id of the command that ran; empty: none.
  std::string press(const char* key) {
    commands_.set_mode(flags_.present.on ? KeyMode::presenting : KeyMode::working);
    const Command* const command = commands_.find(*parse_chord(key));
    return commands_.handle({*parse_chord(key)}, false) ? command->id : "";
  }
  std::string kernel() { return driver_->state().experiment.kernel; }

  AppFlags flags_;
  CommandTable commands_;
  std::unique_ptr<WorkspaceDriver> driver_;
};

TEST_F(Presenting, OneKeyEntersAndLeaves) {
  flags_.show_start = true;
  flags_.enlarged = Panel::code;
  EXPECT_EQ(press("F11"), "present.full_screen");
  EXPECT_TRUE(flags_.present.on);
  EXPECT_TRUE(flags_.full_screen);
  EXPECT_FALSE(flags_.show_start);
  EXPECT_EQ(flags_.enlarged, Panel::none);
  EXPECT_EQ(drawing::current_theme(), drawing::Theme::dark_projector);
  EXPECT_EQ(press("F2"), "view.theme");
  EXPECT_EQ(drawing::current_theme(), drawing::Theme::light_projector);
  press("F11");
  EXPECT_FALSE(flags_.present.on);
  EXPECT_FALSE(flags_.full_screen);
  EXPECT_EQ(drawing::current_theme(), drawing::Theme::light);
}

TEST_F(Presenting, AWindowThatFillsTheScreenAlreadyGoesOnToFillIt) {
  flags_.full_screen = true;
  press("F11"), press("F11");
  EXPECT_TRUE(flags_.full_screen);
  flags_.full_screen = false;
  press("Shift+F5");
  EXPECT_TRUE(flags_.present.on);
  EXPECT_FALSE(flags_.full_screen);
}

TEST_F(Presenting, DigitsFillTheScreenWithOnePanel) {
  EXPECT_EQ(press("1"), "") << "not while working";
  press("Shift+F5");
  const std::pair<const char*, Panel> panels[] = {{"1", Panel::map},
                                                  {"2", Panel::pictures},
                                                  {"3", Panel::code},
                                                  {"4", Panel::code},
                                                  {"5", Panel::experiment}};
  for (const auto& [key, panel] : panels) {
    SCOPED_TRACE(key);
    press(key);
    EXPECT_EQ(flags_.enlarged, panel);
    press(key);
    EXPECT_EQ(flags_.enlarged, Panel::none);
    press(key);
    EXPECT_EQ(press("Escape"), "present.back");
    EXPECT_EQ(flags_.enlarged, Panel::none);
    EXPECT_TRUE(flags_.present.on);
  }
}

TEST_F(Presenting, CodeAndTimingsTakeTurns) {
  press("Shift+F5");
  press("4");
  EXPECT_TRUE(driver_->state().timings.visible);
  press("3");
  EXPECT_EQ(flags_.enlarged, Panel::code);
  EXPECT_FALSE(driver_->state().timings.visible);
  driver_->state().lattice.visible = true;
  press("3");
  EXPECT_EQ(flags_.enlarged, Panel::code) << "the lattice was shown, not the code";
  EXPECT_FALSE(driver_->state().lattice.visible);
}

TEST_F(Presenting, EscapeEndsOneThingAtATime) {
  press("Shift+F5");
  press("2"), press("."), press("E");
  ASSERT_TRUE(flags_.present.black);
  ASSERT_TRUE(driver_->state().show_me.running);
  press("Escape");
  EXPECT_FALSE(flags_.present.black);
  EXPECT_TRUE(driver_->state().show_me.running);
  press("Escape");
  EXPECT_FALSE(driver_->state().show_me.running);
  EXPECT_EQ(flags_.enlarged, Panel::pictures);
  press("Escape");
  EXPECT_EQ(flags_.enlarged, Panel::none);
  EXPECT_TRUE(flags_.present.on);
  press("Escape");
  EXPECT_FALSE(flags_.present.on);
  EXPECT_EQ(press("Escape"), "");
}

TEST_F(Presenting, AClickerGoesOnAndBack) {
  EXPECT_EQ(press("B"), "time.next_barrier");
  press("Shift+F5");
  EXPECT_EQ(press("PageDown"), "present.next");
  EXPECT_EQ(kernel(), "08_transposed_tile");
  EXPECT_EQ(press("PageUp"), "present.previous");
  EXPECT_EQ(kernel(), "07_register_tile");
  for (const char* key : {"B", "."}) {
    EXPECT_EQ(press(key), "present.black");
    EXPECT_TRUE(flags_.present.black);
    press(key);
    EXPECT_FALSE(flags_.present.black);
  }
  EXPECT_EQ(press("F5"), "lesson.show_me");
  EXPECT_TRUE(driver_->state().show_me.running);
  press("Shift+F5");
  EXPECT_FALSE(flags_.present.on);
  EXPECT_EQ(press("F5"), "start.bank_conflict");
}

TEST_F(Presenting, PageDownGoesOnInShowMe) {
  press("Shift+F5"), press("E");
  driver_->state().show_me.due_seconds = 2;
  press("PageDown");
  EXPECT_EQ(driver_->state().show_me.due_seconds, 0);
  EXPECT_EQ(kernel(), "07_register_tile");
}

// Where a lesson is open its pages come before the kernels.
TEST_F(Presenting, PagesOfALessonComeFirst) {
  int page = 0;
  bool open = true;
  for (const auto& [id, by] : {std::pair{"lesson.next", 1}, {"lesson.previous", -1}}) {
    // The table of the program may have them.
    if (commands_.find(id) != nullptr) GTEST_SKIP() << "tested with the lessons";
    ASSERT_TRUE(commands_.add({.id = id,
                               .title = id,
                               .category = "Lesson",
                               .run = [&page, by = by] { page += by; },
                               .enabled = [&open] { return open; },
                               .needs = "a lesson"}));
  }
  press("Shift+F5");
  press("PageDown"), press("PageDown"), press("PageUp");
  EXPECT_EQ(page, 1);
  EXPECT_EQ(kernel(), "07_register_tile");
  open = false;
  press("PageDown");
  EXPECT_EQ(kernel(), "08_transposed_tile");
}

TEST_F(Presenting, HasAZoomOfItsOwn) {
  flags_.zoom = 0.9f;
  press("Shift+F5");
  EXPECT_GE(flags_.present.zoom, 1.6f);
  press("Ctrl+=");
  EXPECT_FLOAT_EQ(flags_.present.zoom, kPresentingZoom * 1.1f);
  press("Ctrl+0");
  EXPECT_EQ(flags_.present.zoom, kPresentingZoom);
  EXPECT_EQ(flags_.zoom, 0.9f);
}

}  // namespace
}  // namespace gemmscope::session
