// Tests the program's state without its window: results arrive by themselves, the cursor moves, and mistakes
// leave the picture unchanged.
#include "session/workspace.h"

#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

using experiment::Experiment;
using scenes::kAllWarps;
using scenes::kAllWavefronts;

class WorkspaceTest : public testing::Test {
 protected:
  void start(const Experiment& first) { driver_ = std::make_unique<WorkspaceDriver>(first); }
  void start_and_settle(const Experiment& first) {
    start(first);
    ASSERT_TRUE(driver_->settle());
    ASSERT_FALSE(state().failure) << state().failure->failure.message;
    ASSERT_TRUE(state().has_trace());
  }
  Workspace& workspace() { return driver_->workspace(); }
  ViewState& state() { return driver_->state(); }
  Requests& requests() { return driver_->requests(); }
  size_t position() {
    return scenes::position_of(*state().block, state().playback.warp, state().cursor.record);
  }
  size_t steps() { return scenes::step_count(*state().block, state().playback.warp); }

  std::unique_ptr<WorkspaceDriver> driver_;
};

// ---- results

TEST_F(WorkspaceTest, ResultsArriveByThemselves) {
  start(small_experiment());
  EXPECT_FALSE(state().has_trace());
  ASSERT_TRUE(driver_->settle());
  ASSERT_NE(state().compiled, nullptr);
  ASSERT_NE(state().block, nullptr);
  ASSERT_NE(state().grid, nullptr);
  EXPECT_EQ(state().block->compiled, state().compiled);
  EXPECT_EQ(state().grid->compiled, state().compiled);
  EXPECT_TRUE(state().grid->verification.right());
  EXPECT_FALSE(state().failure);
  EXPECT_FALSE(state().progress);
  EXPECT_EQ(state().playhead->record(), state().cursor.record);
  // The picture opens at a step where A, B and C can all be seen.
  EXPECT_EQ(state().compiled->instructions[state().record().instruction].opcode, isa::Opcode::ffma);
  EXPECT_NE(state().record().executed, 0u);
}

TEST_F(WorkspaceTest, ANewExperimentDropsTheOldOnesResults) {
  start_and_settle(small_experiment());
  Experiment large = small_experiment("07_register_tile", 768);
  for (int round = 0; round < 3; ++round) {
    large.problem.alpha = static_cast<float>(round);
    workspace().set_experiment(large);
    // Replaces it before or after its block has arrived.
    if (round > 0) {
      ASSERT_TRUE(driver_->until([&] { return state().block->experiment == large; }));
    }
    Experiment next = small_experiment("11_prefetch");
    next.problem.alpha = static_cast<float>(round);
    const auto before = state().block;
    workspace().set_experiment(next);
    ASSERT_TRUE(driver_->until([&] { return !workspace().waiting() && !state().progress; }, 0,
                               [&] {
                                 ASSERT_TRUE(state().block == before || state().block->experiment == next)
                                     << "a block of the replaced experiment arrived";
                                 ASSERT_TRUE(state().compiled == before->compiled ||
                                             state().compiled->kernel.id == next.kernel);
                               }));
    driver_->frame();
    EXPECT_EQ(state().block->experiment, next);
    ASSERT_NE(state().grid, nullptr);
    EXPECT_EQ(state().grid->compiled, state().block->compiled);
  }
}

TEST_F(WorkspaceTest, AnotherBlockKeepsTheMachineCode) {
  start_and_settle(small_experiment("01_naive_rows"));
  const auto compiled = state().compiled;
  Experiment next = state().experiment;
  next.block = {2, 3, 0};
  workspace().set_experiment(next);
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().compiled, compiled);
  EXPECT_EQ(state().block->trace.block, next.block);
}

TEST_F(WorkspaceTest, TheSameKernelKeepsItsPlaceInTime) {
  start_and_settle(small_experiment());
  workspace().step(static_cast<int>(steps()) / 2);
  const uint32_t instruction = state().record().instruction;
  const size_t before = position();
  workspace().set_experiment(small_experiment("07_register_tile", 96));
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().record().instruction, instruction);
  EXPECT_EQ(position(), before) << "the same execution of it, although the loop has more passes now";
  workspace().to_end();
  workspace().set_experiment(small_experiment());
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(position() + 1, steps());
}

// Views index their tables with the hovered instruction, so a hover in other code must be cleared before they
// draw.
TEST_F(WorkspaceTest, HoverDoesNotOutliveItsMachineCode) {
  start_and_settle(small_experiment("07_register_tile"));
  const auto last = static_cast<uint32_t>(state().compiled->instructions.size() - 1);
  Experiment next = small_experiment("01_naive_rows");
  next.problem.k = 8192;  // so that its block is on its way for some frames after its code
  workspace().set_experiment(next);
  ASSERT_TRUE(driver_->until(
      [&] { return !workspace().waiting() && state().block->compiled->kernel.id == "01_naive_rows"; }, 0,
      [&] {
        if (state().hover.instruction) {
          ASSERT_LT(*state().hover.instruction, state().compiled->instructions.size());
        }
        // The mouse rests on the old kernel's last instruction as long as that is on the screen.
        if (state().compiled->kernel.id == "07_register_tile") requests().hover.instruction = last;
      }));
}

// ---- undo

TEST_F(WorkspaceTest, UndoAndRedo) {
  const Experiment first = small_experiment("01_naive_rows");
  start_and_settle(first);
  EXPECT_FALSE(workspace().can_undo());
  EXPECT_FALSE(workspace().can_redo());
  Experiment second = first;
  second.problem.n = 32;
  workspace().set_experiment(second);
  workspace().set_experiment(second);  // the same experiment again is no step
  ASSERT_TRUE(driver_->settle());
  EXPECT_TRUE(workspace().can_undo());

  workspace().undo();
  EXPECT_EQ(state().experiment, first);
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().block->experiment, first);
  EXPECT_FALSE(workspace().can_undo());

  workspace().redo();
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().block->experiment, second);
  EXPECT_FALSE(workspace().can_redo());

  workspace().undo();
  Experiment third = first;
  third.problem.k = 8;
  workspace().set_experiment(third);
  EXPECT_FALSE(workspace().can_redo());
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().block->experiment, third);
}

TEST_F(WorkspaceTest, ChoosingKernelsStaysInTheCatalogue) {
  start_and_settle(small_experiment("01_naive_rows"));
  const auto& kernels = workspace().catalog().kernels;
  ASSERT_GE(kernels.size(), 3u);
  workspace().choose_kernel(-1);
  EXPECT_EQ(state().experiment.kernel, kernels.front().id);
  for (size_t i = 0; i < kernels.size() + 2; ++i) workspace().choose_kernel(1);
  EXPECT_EQ(state().experiment.kernel, kernels.back().id);
  ASSERT_TRUE(driver_->settle());
  EXPECT_FALSE(state().failure);
  EXPECT_EQ(state().block->compiled->kernel.id, kernels.back().id);
}

// ---- time

TEST_F(WorkspaceTest, StepsAndSeeksStayInTheTrace) {
  start_and_settle(small_experiment());
  workspace().to_start();
  EXPECT_EQ(position(), 0u);
  workspace().step(-1);
  EXPECT_EQ(position(), 0u);
  workspace().step(3);
  EXPECT_EQ(position(), 3u);
  EXPECT_EQ(state().record().warp, 0);
  EXPECT_EQ(state().playhead->record(), state().cursor.record);
  workspace().step(-1);
  EXPECT_EQ(position(), 2u);
  workspace().to_end();
  EXPECT_EQ(position() + 1, steps());
  workspace().step(10);
  EXPECT_EQ(position() + 1, steps());
  workspace().step(INT_MAX);
  EXPECT_EQ(position() + 1, steps());
  workspace().step(INT_MIN);
  EXPECT_EQ(position(), 0u);
  workspace().seek({SIZE_MAX, kAllWavefronts});
  EXPECT_EQ(state().cursor.record, state().block->trace.records.size() - 1);
}

TEST_F(WorkspaceTest, PlayingFollowsTheClockAndStopsAtTheEnd) {
  start_and_settle(small_experiment());
  workspace().to_start();
  state().playback.steps_per_second = 40;
  workspace().play_or_pause();
  EXPECT_TRUE(workspace().animating());
  for (int i = 0; i < 10; ++i) driver_->frame(0.1);
  EXPECT_EQ(position(), 40u);
  driver_->frame(100);  // a long frame advances time only a little
  EXPECT_EQ(position(), 50u);
  workspace().play_or_pause();
  for (int i = 0; i < 10; ++i) driver_->frame(0.1);
  EXPECT_EQ(position(), 50u);
  EXPECT_FALSE(workspace().animating());

  workspace().to_end();
  workspace().step(-5);
  workspace().play_or_pause();
  for (int i = 0; i < 10; ++i) driver_->frame(0.1);
  EXPECT_EQ(position() + 1, steps());
  EXPECT_FALSE(workspace().animating());
  workspace().play_or_pause();  // once more from the start
  EXPECT_TRUE(workspace().animating());
  EXPECT_EQ(position(), 0u);
}

TEST_F(WorkspaceTest, SpeedStaysBetweenItsLimits) {
  start(small_experiment());
  for (int i = 0; i < 40; ++i) workspace().change_speed(2);
  EXPECT_EQ(state().playback.steps_per_second, 10'000);
  for (int i = 0; i < 40; ++i) workspace().change_speed(0.5f);
  EXPECT_EQ(state().playback.steps_per_second, 1);
}

TEST_F(WorkspaceTest, WavefrontsOneByOne) {
  start_and_settle(small_experiment());
  workspace().to_start();
  size_t looked_at = 0;
  for (; looked_at < 20; ++looked_at) {
    workspace().to_event(scenes::Event::shared_access, true);
    ASSERT_EQ(state().cursor.wavefront, kAllWavefronts);
    const auto shown = scenes::shown_shared_access(*state().block, state().cursor.record);
    ASSERT_TRUE(shown && shown->current);
    const int passes = metrics::count_wavefronts(metrics::shared_access(*shown->access)).wavefronts;
    for (int wavefront = 0; wavefront < passes; ++wavefront) {
      workspace().step_wavefront(1);
      EXPECT_EQ(state().cursor.wavefront, wavefront);
    }
    workspace().step_wavefront(1);
    EXPECT_EQ(state().cursor.wavefront, passes - 1);
    for (int i = 0; i < passes + 1; ++i) workspace().step_wavefront(-1);
    EXPECT_EQ(state().cursor.wavefront, kAllWavefronts);
  }
}

TEST_F(WorkspaceTest, SlowPlayingShowsTheWavefrontsOneByOne) {
  start_and_settle(small_experiment());
  workspace().to_start();
  const auto passes_here = [&] {
    for (const machine::TraceAccess& access : state().block->trace.accesses_of(state().record()))
      if (access.space == machine::Space::shared)
        return metrics::count_wavefronts(metrics::shared_access(access)).wavefronts;
    return 0;
  };
  do workspace().to_event(scenes::Event::shared_access, true);
  while (passes_here() < 2);
  const size_t record = state().cursor.record;
  const int passes = passes_here();
  state().playback.steps_per_second = 1;
  workspace().play_or_pause();
  std::vector<int> seen;
  for (int i = 0; i < 9; ++i) {
    driver_->frame(0.1);
    ASSERT_EQ(state().cursor.record, record);
    seen.push_back(state().cursor.wavefront);
  }
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.front(), 0);
  EXPECT_EQ(seen.back(), passes - 1);
}

TEST_F(WorkspaceTest, WithoutSharedMemoryThereAreNoWavefronts) {
  start_and_settle(small_experiment("01_naive_rows"));
  workspace().step_wavefront(1);
  EXPECT_EQ(state().cursor.wavefront, kAllWavefronts);
}

TEST_F(WorkspaceTest, FollowingAWarp) {
  start_and_settle(small_experiment());
  workspace().step(100);
  for (const int warp : {5, 0, 7}) {
    const size_t before = state().cursor.record;
    workspace().follow(warp);
    EXPECT_EQ(state().record().warp, warp);
    EXPECT_LE(state().cursor.record, before);
    workspace().step(1);
    EXPECT_EQ(state().record().warp, warp);
  }
  workspace().follow(kAllWarps);
  const size_t before = state().cursor.record;
  workspace().step(1);
  EXPECT_EQ(state().cursor.record, before + 1);
}

TEST_F(WorkspaceTest, MissingEventsLeaveTheCursorInPlace) {
  start_and_settle(small_experiment("01_naive_rows"));
  const scenes::Cursor before = state().cursor;
  workspace().to_event(scenes::Event::shared_access, true);
  workspace().to_event(scenes::Event::barrier, false);
  EXPECT_EQ(state().cursor, before);
}

TEST_F(WorkspaceTest, RequestsOfTheViewsAreActedOn) {
  start_and_settle(small_experiment());
  workspace().begin_frame(0);
  requests().follow_warp = 3;
  requests().steps_per_second = 99;
  workspace().end_frame();
  EXPECT_EQ(state().playback.warp, 3);
  EXPECT_EQ(state().playback.steps_per_second, 99);
  workspace().begin_frame(0);
  requests().cursor = scenes::Cursor{17, 0};
  requests().experiment = small_experiment("01_naive_rows");
  workspace().end_frame();
  EXPECT_EQ(state().cursor.record, 17u);
  EXPECT_EQ(state().experiment.kernel, "01_naive_rows");
  EXPECT_FALSE(requests().experiment);
}

// ---- mistakes

TEST_F(WorkspaceTest, AFailureKeepsThePictureAndPasses) {
  start_and_settle(small_experiment());
  const auto block = state().block;
  const scenes::Cursor cursor = state().cursor;
  Experiment impossible = small_experiment();
  impossible.problem.k = 0;
  workspace().set_experiment(impossible);
  ASSERT_TRUE(driver_->settle());
  ASSERT_TRUE(state().failure);
  EXPECT_NE(state().failure->failure.message.find("K"), std::string::npos)
      << state().failure->failure.message;
  EXPECT_EQ(state().block, block);
  EXPECT_EQ(state().cursor, cursor);
  EXPECT_EQ(state().experiment, impossible);
  workspace().step(1);  // the old picture still moves
  EXPECT_NE(state().cursor, cursor);

  Experiment outside = small_experiment();
  outside.block = {99, 0, 0};
  workspace().set_experiment(outside);
  ASSERT_TRUE(driver_->settle());
  ASSERT_TRUE(state().failure);
  EXPECT_NE(state().failure->failure.message.find("99"), std::string::npos)
      << state().failure->failure.message;

  workspace().set_experiment(small_experiment("01_naive_rows"));
  EXPECT_FALSE(state().failure);
  ASSERT_TRUE(driver_->settle());
  EXPECT_FALSE(state().failure);
  EXPECT_EQ(state().block->compiled->kernel.id, "01_naive_rows");
  workspace().undo();
  ASSERT_TRUE(driver_->settle());
  EXPECT_TRUE(state().failure);
}

TEST_F(WorkspaceTest, AFailureFromTheStart) {
  Experiment impossible = small_experiment();
  impossible.problem.m = -1;
  start(impossible);
  ASSERT_TRUE(driver_->settle());
  EXPECT_TRUE(state().failure);
  EXPECT_FALSE(state().has_trace());
  workspace().step(1), workspace().to_end(), workspace().play_or_pause(), workspace().step_wavefront(1);
  driver_->frame(1);
  workspace().set_experiment(small_experiment());
  ASSERT_TRUE(driver_->settle());
  EXPECT_TRUE(state().has_trace());
}

TEST_F(WorkspaceTest, AnUnknownKernelIsNamedAndStopsTheOthersResults) {
  start(small_experiment());  // still runs
  workspace().set_experiment(small_experiment("99_no_such_kernel"));
  ASSERT_TRUE(driver_->settle());
  ASSERT_TRUE(state().failure);
  EXPECT_NE(state().failure->failure.message.find("99_no_such_kernel"), std::string::npos);
  EXPECT_FALSE(state().has_trace()) << "the result of the experiment before arrived after all";
  workspace().choose_kernel(1);
  workspace().undo();
  ASSERT_TRUE(driver_->settle());
  EXPECT_FALSE(state().failure);
  EXPECT_TRUE(state().has_trace());
}

// ---- the UI thread never waits

// Counts frames and compares CPU times, so the test holds on a slow computer and under a sanitizer. If a
// frame waited for the job, there would be few frames; if a frame did the job, it would take most of the
// program's CPU time.
TEST_F(WorkspaceTest, LargeJobsDoNotBlockTheUiThread) {
  start(small_experiment());
  ASSERT_TRUE(driver_->settle());
  driver_->clear_cost();
  const double before_ms = process_cpu_ms();
  Experiment large = small_experiment("07_register_tile", 1024);
  driver_->timed([&] { workspace().set_experiment(large); });
  ASSERT_TRUE(driver_->until([&] { return state().block->experiment == large; }));
  EXPECT_GT(driver_->cost().frames, 3);
  // The grid has hundreds of blocks.
  ASSERT_TRUE(driver_->until([&] { return state().progress && state().progress->fraction > 0.2; }));
  EXPECT_GT(driver_->cost().frames, 20);
  driver_->timed([&] { workspace().set_experiment(small_experiment()); });
  ASSERT_TRUE(driver_->settle());
  EXPECT_LT(driver_->cost().longest_cpu_ms, 0.2 * (process_cpu_ms() - before_ms));
}

}  // namespace
}  // namespace gemmscope::session
