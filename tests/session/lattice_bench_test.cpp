// The lattice of the workspace: computed while it is shown, dropped when the experiment changes.
#include "session/lattice_bench.h"

#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

experiment::Experiment coarsened() {
  experiment::Experiment e;
  e.kernel = "04_thread_coarsening";
  e.problem = {64, 64, 32, 1, 0};
  e.arch = isa::Arch::sm_90;
  return e;
}

bool is_finished(const ViewState& state) {
  return state.lattice.lattice != nullptr && state.lattice.lattice->finished && !state.lattice.running;
}

TEST(LatticeBench, NothingIsComputedUntilItIsShown) {
  WorkspaceDriver driver(coarsened());
  ASSERT_TRUE(driver.settle());
  EXPECT_EQ(driver.state().lattice.lattice, nullptr);
  EXPECT_FALSE(driver.state().lattice.running);
}

TEST(LatticeBench, ComputesTheLatticeAndAClickIsOneStepToUndo) {
  WorkspaceDriver driver(coarsened());
  driver.state().lattice.visible = true;
  ASSERT_TRUE(driver.until([&] { return is_finished(driver.state()); }));
  const auto lattice = driver.state().lattice.lattice;
  EXPECT_EQ(lattice->device, "NVIDIA H200");
  EXPECT_EQ(lattice->computed(), lattice->entries.size());
  ASSERT_GT(lattice->entries.size(), 3u);
  const experiment::LatticePoint& point = lattice->entries.back().point;
  driver.workspace().begin_frame(0);
  driver.requests().experiment = experiment_at(driver.state(), point);
  driver.workspace().end_frame();
  EXPECT_EQ(driver.state().experiment.toggles, point.toggles);
  driver.frame();
  // What is shown from now on goes around the new variant.
  const auto& shown = driver.state().lattice.lattice;
  EXPECT_TRUE(shown == nullptr || shown->entries.front().point.toggles == point.toggles);
  driver.workspace().undo();
  EXPECT_TRUE(driver.state().experiment.toggles.empty());
  ASSERT_TRUE(driver.until([&] { return is_finished(driver.state()); }));
  EXPECT_TRUE(driver.state().lattice.lattice->entries.front().point.toggles.empty());
}

TEST(LatticeBench, IsDroppedWhenTheExperimentChangesWhileItIsHidden) {
  WorkspaceDriver driver(coarsened());
  driver.state().lattice.visible = true;
  ASSERT_TRUE(driver.until([&] { return is_finished(driver.state()); }));
  driver.state().lattice.visible = false;
  experiment::Experiment next = driver.state().experiment;
  next.problem.m = 128;
  driver.workspace().set_experiment(next);
  driver.frame();
  EXPECT_EQ(driver.state().lattice.lattice, nullptr);
}

TEST(LatticeBench, ShowsWhatIsRecorded) {
  WorkspaceDriver driver(coarsened());
  experiment::Timings recorded;
  recorded.provenance = experiment::Provenance::recorded;
  recorded.device.name = "NVIDIA H200";
  recorded.problem = coarsened().problem;
  experiment::TimedVariant variant;
  variant.id = "04_thread_coarsening";
  variant.samples = {{0, 0.5, 0}};
  recorded.variants = {variant};
  driver.workspace().set_recordings({recorded});
  driver.state().lattice.visible = true;
  ASSERT_TRUE(driver.until([&] { return is_finished(driver.state()); }));
  EXPECT_EQ(driver.state().lattice.lattice->entries.front().timed_ms, 0.5);
}

TEST(LatticeBench, AKernelWithoutTogglesSaysSo) {
  experiment::Experiment e = coarsened();
  e.kernel = "01_naive_rows";
  WorkspaceDriver driver(e);
  driver.state().lattice.visible = true;
  driver.frame();
  EXPECT_NE(driver.state().lattice.none.find("has no toggles"), std::string::npos);
  EXPECT_EQ(driver.state().lattice.lattice, nullptr);
}

}  // namespace
}  // namespace gemmscope::session
