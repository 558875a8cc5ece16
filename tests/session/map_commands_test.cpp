// The map zooms by its commands, and fragments are offered where the kernel has matrix instructions.
#include <gtest/gtest.h>

#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

using scenes::MapZoom;

TEST(MapCommands, ZoomStopsAtBlockAndThread) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  ASSERT_TRUE(driver.settle());
  const auto zoom = [&] { return driver.state().map.zoom; };
  EXPECT_FALSE(commands.run("map.zoom_out"));
  ASSERT_TRUE(commands.run("map.zoom_in"));
  EXPECT_EQ(zoom(), MapZoom::warp);
  ASSERT_TRUE(commands.run("map.zoom_in"));
  EXPECT_EQ(zoom(), MapZoom::thread);
  EXPECT_FALSE(commands.run("map.zoom_in"));
  ASSERT_TRUE(commands.run("map.zoom_out"));
  EXPECT_EQ(zoom(), MapZoom::warp);
  EXPECT_FALSE(commands.run("picture.fragments")) << "a kernel without matrix instructions";
}

// Panning stays within the block, and a zoom shows what the cursor works on again.
TEST(MapCommands, PanMovesTheZoomedMapWithinTheBlock) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  ASSERT_TRUE(driver.settle());
  EXPECT_FALSE(commands.run("map.pan_right")) << "all of the block is shown";
  ASSERT_TRUE(commands.run("map.zoom_in"));
  ASSERT_TRUE(commands.run("map.zoom_in"));
  const auto shown = [&] {
    return scenes::shown_region(*driver.state().block, driver.state().cursor.record,
                                driver.state().map.view());
  };
  const scenes::Region whole =
      scenes::shown_region(*driver.state().block, driver.state().cursor.record, MapZoom::block);
  const scenes::Region before = shown();
  ASSERT_TRUE(commands.run("map.pan_right"));
  EXPECT_GT(shown().first_column, before.first_column);
  EXPECT_EQ(shown().first_row, before.first_row);
  EXPECT_EQ(shown().columns, before.columns);
  int steps = 0;
  while (commands.run("map.pan_right") && ++steps < 1000) {
  }
  EXPECT_EQ(shown().first_column + shown().columns, whole.first_column + whole.columns);
  while (commands.run("map.pan_down") && ++steps < 1000) {
  }
  EXPECT_EQ(shown().first_row + shown().rows, whole.first_row + whole.rows);
  EXPECT_FALSE(commands.run("map.pan_down"));
  while (commands.run("map.pan_left") && ++steps < 1000) {
  }
  EXPECT_EQ(shown().first_column, whole.first_column);
  ASSERT_TRUE(commands.run("map.zoom_out"));
  EXPECT_EQ(driver.state().map.view(), scenes::MapView(MapZoom::warp));
}

TEST(MapCommands, FragmentsAreShownForAKernelWithMatrixInstructions) {
  experiment::Experiment e = small_experiment();
  e.kernel = "15_tensor_bf16";
  e.problem = {256, 128, 64};
  WorkspaceDriver driver(e);
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(commands.run("picture.fragments"));
  EXPECT_EQ(driver.state().picture, catalog::Picture::fragments);
  EXPECT_EQ(driver.state().picture_of, "15_tensor_bf16");
}

}  // namespace
}  // namespace gemmscope::session
