// The commands of the pipeline view, and the one cursor: a cycle has a record, a record has a cycle.
#include <set>

#include "scenes/pipeline_story.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class PipelineCommands : public testing::Test {
 protected:
  void SetUp() override { start(small_experiment("07_register_tile", 128)); }
  void start(const experiment::Experiment& first) {
    driver_ = std::make_unique<WorkspaceDriver>(first);
    commands_ = std::make_unique<CommandTable>(make_commands(driver_->workspace(), flags_));
    ASSERT_TRUE(driver_->settle());
    ASSERT_NE(state().model, nullptr) << state().no_model;
  }
  ViewState& state() { return driver_->state(); }
  PipelineState& pipeline() { return state().pipeline; }
  const sm::TimelineStep& step(scenes::StepId id) {
    return state().model->timeline.warps[id.warp].steps[id.step];
  }
  void run(const char* id) {
    const Result<void> ran = commands_->run(id);
    ASSERT_TRUE(ran) << ran.error().message;
    driver_->frame();
  }

  AppFlags flags_;
  std::unique_ptr<WorkspaceDriver> driver_;
  std::unique_ptr<CommandTable> commands_;
};

TEST_F(PipelineCommands, TheModelArrivesWithTheExperiment) {
  EXPECT_EQ(state().model->compiled, state().compiled);
  ASSERT_NE(state().modelled_time, nullptr);
  EXPECT_GT(state().modelled_time->milliseconds, 0);
  EXPECT_FALSE(pipeline().visible.empty());
}

TEST_F(PipelineCommands, ANewExperimentReplacesTheModel) {
  const auto before = state().model;
  driver_->workspace().set_experiment(small_experiment("11_prefetch", 128));
  ASSERT_TRUE(driver_->settle());
  ASSERT_NE(state().model, nullptr);
  EXPECT_NE(state().model, before);
  EXPECT_EQ(state().model->compiled, state().compiled);
  EXPECT_EQ(&state().places->block(), state().block.get());
}

TEST_F(PipelineCommands, TheyNeedAnOpenPipeline) {
  EXPECT_FALSE(commands_->run("pipeline.next_stall"));
  run("pipeline.show");
  EXPECT_TRUE(commands_->run("pipeline.next_stall"));
}

TEST_F(PipelineCommands, ARecordMovesTheCycle) {
  run("pipeline.show");
  run("time.step_forward");
  const auto first = state().places->step_of(state().cursor.record, pipeline().block);
  ASSERT_TRUE(first);
  EXPECT_EQ(pipeline().cycle, step(*first).issued);
  run("time.to_end");
  EXPECT_TRUE(pipeline().visible.contains(pipeline().cycle));
  EXPECT_GT(pipeline().cycle, 0.5 * state().model->timeline.cycles);
}

TEST_F(PipelineCommands, ACycleMovesTheRecord) {
  run("pipeline.show");
  for (const double cycle : {500.0, 2000.0, 4000.0}) {
    driver_->workspace().seek_cycle(cycle);
    EXPECT_EQ(pipeline().cycle, cycle);
    const auto shown = state().places->step_at(pipeline().block, state().playback.warp, cycle);
    ASSERT_TRUE(shown);
    EXPECT_EQ(state().cursor.record, state().places->record_of(*shown));
    EXPECT_EQ(state().playhead->record(), state().cursor.record);
    EXPECT_EQ(state().record().instruction, step(*shown).instruction);
  }
}

TEST_F(PipelineCommands, PlayingMovesInCyclesWhileItIsOpen) {
  run("pipeline.show");
  driver_->workspace().seek_cycle(1000);
  state().playback.cycles_per_second = 400;
  run("time.play");
  driver_->frame(0.1);
  EXPECT_NEAR(pipeline().cycle, 1040, 1e-3);
  run("pipeline.show");
  ASSERT_FALSE(pipeline().open);
  state().playback.steps_per_second = 20;
  const size_t record = state().cursor.record;
  driver_->frame(0.1);
  EXPECT_NE(state().cursor.record, record);
}

TEST_F(PipelineCommands, AllWarpsAreFollowedInTheOrderOfTheirCycles) {
  run("pipeline.show");
  run("time.all_warps");
  double last = -1;
  std::set<uint16_t> warps;
  for (double cycle = 1000; cycle < 1100; cycle += 1) {
    driver_->workspace().seek_cycle(cycle);
    const auto shown = state().places->step_of(state().cursor.record, pipeline().block);
    ASSERT_TRUE(shown);
    EXPECT_GE(step(*shown).issued, last);
    last = step(*shown).issued;
    warps.insert(state().record().warp);
  }
  EXPECT_GT(warps.size(), 1u);
}

TEST_F(PipelineCommands, StallsCausesAndEffectsAreFollowed) {
  run("pipeline.show");
  driver_->workspace().to_start();
  int causes = 0;
  for (int i = 0; i < 12; ++i) {
    run("pipeline.next_stall");
    ASSERT_TRUE(pipeline().selected);
    const scenes::StepId stall = *pipeline().selected;
    const sm::WarpTimeline& warp = state().model->timeline.warps[stall.warp];
    EXPECT_GE(step(stall).issued - warp.begin_of(stall.step), scenes::kShortestStall);
    if (step(stall).cause == sm::kNoStep || step(stall).cause_warp != stall.warp) continue;
    run("pipeline.to_cause");
    EXPECT_EQ(pipeline().selected->step, step(stall).cause);
    run("pipeline.to_effect");
    EXPECT_EQ(step(*pipeline().selected).cause, step(stall).cause);
    ++causes;
    driver_->workspace().to_step(stall);
  }
  EXPECT_GT(causes, 2);
}

// From far out a jump zooms in until the wait and what it waited for can be seen.
TEST_F(PipelineCommands, AStallIsSeenWithItsCause) {
  run("pipeline.show");
  run("pipeline.show_all");
  run("pipeline.next_stall");
  ASSERT_TRUE(pipeline().selected);
  const scenes::CycleRange span = scenes::span_of(*state().model, *pipeline().selected);
  EXPECT_LE(pipeline().visible.from, span.from);
  EXPECT_GE(pipeline().visible.to, span.to);
  EXPECT_GT(span.length(), pipeline().visible.length() / 40);
  const scenes::CycleRange seen = pipeline().visible;
  run("pipeline.to_cause");
  EXPECT_EQ(pipeline().visible, seen) << "the cause was visible already";
}

TEST_F(PipelineCommands, ZoomAndPanStayOnTheTimeline) {
  run("pipeline.show");
  for (int i = 0; i < 20; ++i) run("pipeline.zoom_in");
  EXPECT_TRUE(pipeline().visible.contains(pipeline().cycle));
  const double close = pipeline().visible.length();
  for (int i = 0; i < 40; ++i) run("pipeline.pan_left");
  EXPECT_GE(pipeline().visible.from, 0);
  EXPECT_EQ(pipeline().visible.length(), close);
  run("pipeline.show_all");
  EXPECT_EQ(pipeline().visible, scenes::whole_range(*state().model));
  run("pipeline.show_pass");
  const auto& begins = state().model->stages[pipeline().block].pass_begins;
  const uint32_t pass = scenes::pass_at(state().model->stages[pipeline().block], pipeline().cycle);
  EXPECT_EQ(pipeline().visible.from, begins[pass]);
  EXPECT_EQ(pipeline().visible.to, begins[pass + 1]);
}

TEST_F(PipelineCommands, BookmarksAreSetRemovedAndVisited) {
  run("pipeline.show");
  for (const double cycle : {3000.0, 1000.0, 2000.0}) {
    driver_->workspace().seek_cycle(cycle);
    run("pipeline.bookmark");
  }
  EXPECT_EQ(pipeline().bookmarks, (std::vector<double>{1000, 2000, 3000}));
  run("pipeline.next_bookmark");
  EXPECT_EQ(pipeline().cycle, 3000);
  run("pipeline.next_bookmark");
  EXPECT_EQ(pipeline().cycle, 1000);
  run("pipeline.previous_bookmark");
  EXPECT_EQ(pipeline().cycle, 3000);
  run("pipeline.bookmark");
  EXPECT_EQ(pipeline().bookmarks, (std::vector<double>{1000, 2000}));
}

TEST_F(PipelineCommands, APinnedTimelineStaysWhenTheKernelChanges) {
  run("pipeline.show");
  run("compare.pin");
  const auto pinned = state().model;
  driver_->workspace().set_experiment(small_experiment("11_prefetch", 128));
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().pinned.side->model, pinned);
  EXPECT_TRUE(pipeline().open);
  run("pipeline.align");
  EXPECT_TRUE(pipeline().align_at_pass);
}

TEST_F(PipelineCommands, TheUiThreadDoesNotWaitForTheModel) {
  driver_->clear_cost();
  driver_->workspace().set_experiment(small_experiment("11_prefetch", 512));
  ASSERT_TRUE(driver_->until([&] { return state().model != nullptr && state().places != nullptr; }));
  EXPECT_LT(driver_->cost().longest_cpu_ms, 50);
}

}  // namespace
}  // namespace gemmscope::session
