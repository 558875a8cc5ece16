// The device board of a workspace: what it models, and what its commands change.
#include "session/device_board.h"

#include "experiment/recording.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class DeviceBoardTest : public testing::Test {
 protected:
  DeviceBoardTest() : driver(small_experiment()) {
    driver.state().timings.choice.race = experiment::Race::before;
  }
  BoardState& board() { return driver.state().board; }
  bool settled() {
    return driver.until([&] {
      return board().left.known && !board().left.busy && !board().right.busy &&
             board().left.fresh == board().left.variants.size() &&
             board().right.fresh == board().right.variants.size() && !board().left.variants.empty();
    });
  }

  WorkspaceDriver driver;
  AppFlags flags;
  CommandTable commands = make_commands(driver.workspace(), flags);
};

TEST_F(DeviceBoardTest, ModelsNothingBeforeItIsOpen) {
  ASSERT_TRUE(driver.settle());
  EXPECT_FALSE(board().left.known);
  ASSERT_TRUE(commands.run("board.show"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(board().left.variants.size(), 1u);
  EXPECT_GT(board().left.variants[0].milliseconds, 0) << board().left.variants[0].trouble;
  EXPECT_EQ(board().left.variants[0].milliseconds, board().right.variants[0].milliseconds)
      << "the same device on both sides";
}

TEST_F(DeviceBoardTest, CancelKeepsWhatIsThereAndTheBoardGoesOnWhenAsked) {
  driver.state().timings.choice.race = experiment::Race::ladder;
  ASSERT_TRUE(commands.run("board.show"));
  ASSERT_TRUE(driver.until([&] { return board().left.fresh > 0; }));
  ASSERT_LT(board().left.fresh, board().left.variants.size());
  EXPECT_TRUE(driver.workspace().computing());
  ASSERT_TRUE(commands.run("experiment.cancel"));
  ASSERT_TRUE(driver.until([&] { return !board().left.busy && !board().right.busy; }));
  const size_t kept = board().left.fresh;
  EXPECT_GT(kept, 0u);
  EXPECT_LT(kept, board().left.variants.size());
  for (int i = 0; i < 3; ++i) driver.frame();
  EXPECT_FALSE(board().left.busy) << "it does not start again by itself";
  BoardChoice choice = board().choice;
  choice.factors[static_cast<size_t>(experiment::Knob::clock)] = 0.5f;
  driver.requests().board = choice;
  driver.workspace().end_frame();
  EXPECT_TRUE(driver.until([&] { return board().left.busy; }));
}

TEST_F(DeviceBoardTest, AKnobChangesTheLeftSideAlone) {
  ASSERT_TRUE(commands.run("board.show"));
  ASSERT_TRUE(settled());
  const double before = board().left.variants[0].milliseconds;
  BoardChoice choice = board().choice;
  choice.factors[static_cast<size_t>(experiment::Knob::clock)] = 0.5f;
  driver.requests().board = choice;
  driver.workspace().end_frame();
  driver.frame();
  EXPECT_EQ(board().left.variants.size(), 1u) << "the old figure stays until the new one comes";
  ASSERT_TRUE(settled());
  EXPECT_GT(board().left.variants[0].milliseconds, 1.3 * before);
  EXPECT_EQ(board().right.variants[0].milliseconds, before);
  ASSERT_TRUE(commands.run("board.reset"));
  ASSERT_TRUE(settled());
  driver.until([&] { return board().left.variants[0].milliseconds == before; });
  EXPECT_EQ(board().left.variants[0].milliseconds, before);
}

TEST_F(DeviceBoardTest, TheLessonHasItsDevicesKernelsAndWhatWasPublished) {
  driver.workspace().set_recordings([] {
    std::vector<experiment::Timings> all;
    for (experiment::RecordingFile& file : experiment::read_recordings(experiment::recordings_folder()).files)
      for (experiment::Timings& run : file.recording) all.push_back(std::move(run));
    return all;
  }());
  ASSERT_TRUE(commands.run("board.lesson"));
  driver.frame();
  driver.frame();
  EXPECT_EQ(board().left.device.config.name, "NVIDIA GeForce MX330");
  EXPECT_EQ(board().right.device.config.name, "NVIDIA RTX A4000");
  ASSERT_EQ(board().left.variants.size(), 2u);
  EXPECT_EQ(board().left.variants[0].key.kernel, "02_naive_coalesced");
  EXPECT_EQ(board().left.variants[1].key.kernel, "03_shared_tile");
  ASSERT_EQ(board().texts.claims.size(), 2u);
  EXPECT_NEAR(board().texts.claims[0].recorded, 2.35, 0.005);
  EXPECT_NEAR(board().texts.claims[1].recorded, 0.90, 0.005);
  ASSERT_TRUE(settled());
  driver.frame();
  // The code of sm_75 needs a compiler; without one there is no time, and the sentence says only what was
  // published.
  if (board().right.variants[0].milliseconds > 0) {
    const scenes::BoardClaim& claim = board().texts.claims[1];
    const auto& variants = board().right.variants;
    EXPECT_DOUBLE_EQ(claim.modelled, variants[0].milliseconds / variants[1].milliseconds);
    // As the published table: on the order of milliseconds, whatever the user's own size is.
    EXPECT_NEAR(variants[0].milliseconds, 1.861, 0.5);
    EXPECT_FALSE(claim.changed);
    board().choice.factors[0] = 2;
    driver.frame();
    driver.frame();
    EXPECT_TRUE(board().texts.claims[0].changed);
    EXPECT_FALSE(board().texts.claims[1].changed) << "the knobs turn the first device";
  }
}

TEST_F(DeviceBoardTest, CommandsGoThroughTheDevices) {
  ASSERT_TRUE(commands.run("board.show"));
  driver.frame();
  const std::string first = board().first.config.id;
  ASSERT_TRUE(commands.run("board.next_device"));
  driver.frame();
  EXPECT_NE(board().first.config.id, first);
  ASSERT_TRUE(commands.run("board.next_other_device"));
  driver.frame();
  EXPECT_FALSE(board().choice.other.empty());
  ASSERT_TRUE(commands.run("occupancy.calculator"));
  EXPECT_FALSE(board().wide) << "one of them at a time";
}

}  // namespace
}  // namespace gemmscope::session
