// What the occupancy is shown for: the kernel now, or needs set by hand, and the point before a change.
#include "session/occupancy_state.h"

#include "metrics/occupancy_presets.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class OccupancyChoices : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(driver.settle()); }
  OccupancyState& occupancy() { return driver.state().occupancy; }
  void ask(const OccupancyChoice& choice, bool continues = false) {
    driver.requests().occupancy = choice;
    driver.requests().occupancy_continues = continues;
    driver.workspace().end_frame();
  }

  WorkspaceDriver driver{small_experiment()};
  AppFlags flags;
  CommandTable commands = make_commands(driver.workspace(), flags);
};

TEST_F(OccupancyChoices, FollowTheKernel) {
  const auto first = occupancy_point(driver.state());
  ASSERT_TRUE(first);
  EXPECT_EQ(first->compute_capability, 86);
  EXPECT_EQ(first->needs.threads, 256);
  EXPECT_EQ(first->needs.registers, driver.state().compiled->resources.registers);
  EXPECT_EQ(occupancy().shown, first);
  EXPECT_FALSE(occupancy().before);
  driver.workspace().set_experiment(experiment::with_kernel(driver.state().experiment, "12_warp_tiling"));
  ASSERT_TRUE(driver.settle());
  EXPECT_EQ(occupancy().before, first);
  EXPECT_EQ(occupancy().shown, occupancy_point(driver.state()));
  EXPECT_NE(occupancy().shown, first);
}

// By hand starts from the kernel, and then no longer follows it.
TEST_F(OccupancyChoices, ByHandStartsFromTheKernel) {
  const auto kernel = occupancy_point(driver.state());
  ASSERT_TRUE(commands.run("occupancy.by_hand"));
  EXPECT_TRUE(occupancy().choice.by_hand);
  EXPECT_EQ(occupancy_point(driver.state()), kernel);
  ASSERT_TRUE(commands.run("occupancy.more_registers"));
  EXPECT_EQ(occupancy_point(driver.state())->needs.registers, kernel->needs.registers + 1);
  EXPECT_EQ(occupancy().before, kernel);
  driver.workspace().set_experiment(experiment::with_kernel(driver.state().experiment, "12_warp_tiling"));
  ASSERT_TRUE(driver.settle());
  EXPECT_EQ(occupancy_point(driver.state())->needs.registers, kernel->needs.registers + 1);
  ASSERT_TRUE(commands.run("occupancy.by_hand"));
  EXPECT_NE(occupancy_point(driver.state())->needs.registers, kernel->needs.registers + 1);
}

// While a point is dragged, the point before is the one from which the drag began.
TEST_F(OccupancyChoices, ADragIsOneChange) {
  OccupancyChoice choice = occupancy_by_hand(driver.state());
  choice.point = {86, {256, 128, 0}};
  ask(choice);
  for (int registers = 127; registers >= 80; --registers) {
    choice.point.needs.registers = registers;
    ask(choice, registers != 127);
  }
  EXPECT_EQ(occupancy().shown->needs.registers, 80);
  ASSERT_TRUE(occupancy().before);
  EXPECT_EQ(occupancy().before->needs.registers, 128);
}

TEST_F(OccupancyChoices, PresetsFollowEachOtherInACircle) {
  const auto presets = metrics::occupancy_presets();
  for (size_t i = 0; i <= presets.size(); ++i) {
    ASSERT_TRUE(commands.run("occupancy.next_preset"));
    EXPECT_EQ(occupancy().choice.preset, presets[i % presets.size()].id);
    EXPECT_EQ(occupancy_point(driver.state()), presets[i % presets.size()].point);
  }
  ASSERT_TRUE(commands.run("occupancy.previous_preset"));
  EXPECT_EQ(occupancy().choice.preset, presets.back().id);
  ASSERT_TRUE(commands.run("occupancy.fewer_registers"));
  EXPECT_EQ(occupancy().choice.preset, "") << "it is the preset no longer";
}

}  // namespace
}  // namespace gemmscope::session
