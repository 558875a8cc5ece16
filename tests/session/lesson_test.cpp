// "Show me" and the cards at the start: what they run, when, and what stops them.
#include "compile/compiler.h"
#include "session/app_commands.h"
#include "session/show_me.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class Lesson : public testing::Test {
 protected:
  void start(const experiment::Experiment& first) {
    driver_ = std::make_unique<WorkspaceDriver>(first);
    commands_ = make_commands(driver_->workspace(), flags_);
    driver_->state().commands = &commands_;
    ASSERT_TRUE(driver_->settle());
  }
  // Runs frames as the program's loop does, with the commands that they leave.
  void play(double seconds) {
    for (double at = 0; at < seconds; at += 0.2) {
      driver_->workspace().begin_frame(0.2);
      const std::string id = driver_->requests().command;
      if (!id.empty()) {
        ran_.push_back(id);
        (void)commands_.run(id);
      }
      driver_->workspace().end_frame();
      ASSERT_TRUE(driver_->until([&] { return !driver_->workspace().waiting(); }));
      if (driver_->state().has_trace())
        wavefronts_.push_back(
            scenes::wavefront_count(*driver_->state().block, driver_->state().cursor.record));
    }
  }
  int wavefronts() {
    return scenes::wavefront_count(*driver_->state().block, driver_->state().cursor.record);
  }

  AppFlags flags_;
  CommandTable commands_;
  std::unique_ptr<WorkspaceDriver> driver_;
  std::vector<std::string> ran_;
  std::vector<int> wavefronts_;
};

TEST_F(Lesson, EveryKernelListsCommandsThatExist) {
  start(small_experiment());
  for (const catalog::Kernel& kernel : driver_->workspace().catalog().kernels)
    EXPECT_EQ(show_me_trouble(kernel, commands_), "");
}

TEST_F(Lesson, AnUnknownCommandIsNamed) {
  start(small_experiment());
  catalog::Kernel kernel;
  kernel.path = "mine.cu";
  kernel.show_me = {"time.to_end", "time.to_nowhere"};
  EXPECT_EQ(show_me_trouble(kernel, commands_),
            "mine.cu: show_me has \"time.to_nowhere\", which is no command; the help page (F1) lists them.");
}

TEST_F(Lesson, ShowMeRunsTheListWithTimeToLook) {
  start(small_experiment("08_transposed_tile"));
  ASSERT_TRUE(commands_.run("lesson.show_me"));
  EXPECT_TRUE(driver_->workspace().animating());
  play(1);
  EXPECT_EQ(ran_.size(), 1u) << "there is time to look";
  play(30);
  EXPECT_EQ(ran_, driver_->workspace().catalog().find("08_transposed_tile")->show_me);
  EXPECT_FALSE(driver_->state().show_me.running);
  EXPECT_EQ(wavefronts(), 4);
  EXPECT_EQ(driver_->state().cursor.wavefront, 3);
}

TEST_F(Lesson, ShowMeStartsFromTheDefaultsAndStops) {
  experiment::Experiment e = small_experiment("07_register_tile");
  e.toggles = {{"BLOCK_K", 8}};
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(e);
  driver_->state().toggle = "SPLIT_COLUMNS";
  ASSERT_TRUE(commands_.run("lesson.show_me"));
  EXPECT_TRUE(driver_->state().experiment.toggles.empty());
  EXPECT_EQ(driver_->state().toggle, "");
  ASSERT_TRUE(commands_.run("lesson.show_me"));
  EXPECT_FALSE(driver_->state().show_me.running);
  ASSERT_TRUE(commands_.run("lesson.show_me"));
  driver_->workspace().begin_frame(0);
  driver_->requests().cursor = scenes::Cursor{3, scenes::kAllWavefronts};
  driver_->workspace().end_frame();
  EXPECT_FALSE(driver_->state().show_me.running) << "a click of the user's ends it";
}

// The conflict-free step shows 4, 2 and 1 wavefronts of the same store.
TEST_F(Lesson, TheConflictFreeStepShowsItsThreeLayouts) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(small_experiment("09_conflict_free", 128));
  ASSERT_TRUE(commands_.run("lesson.show_me"));
  play(30);
  std::vector<int> changes;
  for (const int count : wavefronts_)
    if (count != 0 && (changes.empty() || changes.back() != count)) changes.push_back(count);
  ASSERT_GE(changes.size(), 3u);
  EXPECT_EQ(std::vector<int>(changes.end() - 3, changes.end()), (std::vector<int>{4, 2, 1}));
}

// The first card and one click more: a conflict appears and disappears.
TEST_F(Lesson, TheFirstCardLeadsToAConflictAndOutOfIt) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(small_experiment("07_register_tile", 96));
  driver_->workspace().step(40);
  flags_.show_start = true;
  ASSERT_TRUE(commands_.run("start.bank_conflict"));
  EXPECT_FALSE(flags_.show_start);
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(driver_->state().experiment.kernel, "bank_conflicts");
  EXPECT_EQ(wavefronts(), 32);
  EXPECT_EQ(driver_->state().note, "");
  experiment::Experiment next = driver_->state().experiment;
  next.toggles["PITCH"] = 33;
  driver_->workspace().set_experiment(next);
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(wavefronts(), 1);
  // The card starts again.
  ASSERT_TRUE(commands_.run("start.bank_conflict"));
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(wavefronts(), 32);
  driver_->workspace().to_start();
  ASSERT_TRUE(commands_.run("start.bank_conflict"));
  EXPECT_EQ(wavefronts(), 32) << "also where the lab is shown already";
}

TEST_F(Lesson, TheOtherCards) {
  start(small_experiment("07_register_tile"));
  ASSERT_TRUE(commands_.run("start.cards"));
  EXPECT_TRUE(flags_.show_start);
  ASSERT_TRUE(commands_.run("start.open"));
  EXPECT_TRUE(flags_.show_open);
  EXPECT_FALSE(flags_.show_start);
  ASSERT_TRUE(commands_.run("start.ladder"));
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(driver_->state().experiment.kernel, driver_->workspace().catalog().kernels.front().id);
}

}  // namespace
}  // namespace gemmscope::session
