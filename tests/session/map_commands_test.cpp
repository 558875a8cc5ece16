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
