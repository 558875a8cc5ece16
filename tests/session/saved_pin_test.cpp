// Scenes with two experiments side by side, and with kernels' texts.
#include "session/app_commands.h"
#include "session/scene_store.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

constexpr const char* kText =
    R"(__global__ void scale(const float* A, const float* B, float* C, float alpha, float beta,
                      int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = alpha * sum + beta * C[row * N + column];
}
)";

SavedScene scene_with_text() {
  SavedScene scene;
  scene.experiment = small_experiment("typed");
  scene.source = kText;
  scene.overrides.block = {"16", "16"};
  scene.overrides.grid = {"N / 16", "M / 16"};
  return scene;
}

TEST(SavedPin, ComesBackWithItsChoices) {
  WorkspaceDriver first(small_experiment("08_transposed_tile", 128));
  ASSERT_TRUE(first.settle());
  first.workspace().pin();
  first.state().pinned.choice = {scenes::Pairing::pass, true, false, DiffSide::sass, true};
  first.workspace().set_experiment(experiment::with_kernel(first.state().experiment, "09_conflict_free"));
  ASSERT_TRUE(first.settle());
  first.workspace().step(40);
  const auto saved = parse_scene(scene_text(scene_of(first.state())), "a scene");
  ASSERT_TRUE(saved) << saved.error().message;

  WorkspaceDriver second(small_experiment("01_naive_rows"));
  ASSERT_TRUE(second.settle());
  ASSERT_TRUE(second.workspace().open_scene(*saved));
  ASSERT_TRUE(second.settle());
  ASSERT_TRUE(second.state().compares());
  EXPECT_EQ(second.state().pinned.side->experiment, first.state().pinned.side->experiment);
  EXPECT_EQ(second.state().experiment, first.state().experiment);
  EXPECT_EQ(second.state().cursor, first.state().cursor);
  const CompareChoice& choice = second.state().pinned.choice;
  EXPECT_EQ(choice.pairing, scenes::Pairing::pass);
  EXPECT_TRUE(choice.map && choice.all_lines && !choice.diff);
  EXPECT_EQ(choice.side, DiffSide::sass);
  second.workspace().undo();
  EXPECT_EQ(second.state().experiment.kernel, "01_naive_rows") << "A's run is a step to undo of its own";
}

TEST(SavedPin, ASceneWithoutOneUnpins) {
  WorkspaceDriver driver(small_experiment("08_transposed_tile"));
  ASSERT_TRUE(driver.settle());
  const SavedScene alone = scene_of(driver.state());
  driver.workspace().pin();
  ASSERT_TRUE(driver.workspace().open_scene(alone));
  ASSERT_TRUE(driver.settle());
  EXPECT_FALSE(driver.state().compares());
}

TEST(SavedPin, WhatTheUserChoosesMeanwhileWins) {
  SavedScene scene;
  scene.experiment = small_experiment("09_conflict_free");
  scene.pinned.emplace().experiment = small_experiment("08_transposed_tile");
  WorkspaceDriver driver(small_experiment("01_naive_rows"));
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(driver.workspace().open_scene(scene));
  driver.workspace().set_experiment(small_experiment("03_shared_tile"));
  ASSERT_TRUE(driver.settle());
  EXPECT_EQ(driver.state().experiment.kernel, "03_shared_tile");
  EXPECT_FALSE(driver.state().compares());
}

TEST(SavedPin, TheRestIsShownWhereItCannotRun) {
  SavedScene scene;
  scene.experiment = small_experiment("09_conflict_free");
  scene.pinned.emplace().experiment = small_experiment("08_transposed_tile");
  scene.pinned->experiment.toggles["NO_SUCH"] = 7;
  scene.pinned->experiment.problem.m = 63;
  WorkspaceDriver driver(small_experiment("01_naive_rows"));
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(driver.workspace().open_scene(scene));
  ASSERT_TRUE(driver.settle());
  EXPECT_EQ(driver.state().experiment.kernel, "09_conflict_free");
  EXPECT_FALSE(driver.state().compares());
  ASSERT_EQ(driver.state().notices.size(), 1u);
  EXPECT_TRUE(driver.state().notices[0].starts_with("What was pinned cannot be shown"))
      << driver.state().notices[0];
}

TEST(SavedPin, ANewTextOfTheSameKernelIsShown) {
  WorkspaceDriver driver(small_experiment("01_naive_rows"));
  SavedScene scene = scene_with_text();
  ASSERT_TRUE(driver.workspace().open_scene(scene));
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(driver.state().has_trace()) << driver.state().note;
  const size_t before = driver.state().block->trace.records.size();
  scene.source.replace(scene.source.find("k < K"), 5, "k < 8");
  ASSERT_TRUE(driver.workspace().open_scene(scene));
  ASSERT_TRUE(driver.settle());
  EXPECT_LT(driver.state().block->trace.records.size(), before) << "the old text is still shown";
}

// Two versions of one text, side by side: an edit is A, what came of it is B.
TEST(SavedPin, MayBeAnOlderTextOfTheSameKernel) {
  SavedScene scene = scene_with_text();
  scene.pinned.emplace();
  static_cast<SavedExperiment&>(*scene.pinned) = scene;
  scene.source.replace(scene.source.find("k < K"), 5, "k < 8");
  WorkspaceDriver driver(small_experiment("01_naive_rows"));
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(driver.workspace().open_scene(scene));
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(driver.state().compares()) << driver.state().note;
  EXPECT_NE(driver.state().pinned.side->compiled->kernel.source, driver.state().compiled->kernel.source);
  EXPECT_EQ(scene_text(scene_of(driver.state())).find("k < 8") == std::string::npos, false);
}

}  // namespace
}  // namespace gemmscope::session
