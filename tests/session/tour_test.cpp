// The tour: how long it takes, what it shows, and that it can be paused, gone on with and ended.
#include "session/tour.h"

#include <iterator>
#include <sstream>

#include "compile/compiler.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

TEST(TourSteps, TakeLessThanAMinute) {
  EXPECT_LE(tour_seconds(), 50);  // what is compiled and executed takes its time, too
  for (const TourStep& step : tour_steps()) {
    EXPECT_GE(step.seconds, 4) << step.sentence;
    // Read aloud: three words a second at most.
    std::istringstream words(step.sentence);
    const auto count = std::distance(std::istream_iterator<std::string>(words), {});
    EXPECT_LE(static_cast<double>(count), 4 * step.seconds) << step.sentence;
  }
}

TEST(TourSteps, GoOnPauseAndEnd) {
  TourState tour;
  EXPECT_EQ(advance_tour(tour, 1, false), "");
  start_tour(tour);
  EXPECT_EQ(advance_tour(tour, 1, true), "") << "results are on their way";
  EXPECT_EQ(advance_tour(tour, 1, false), "kernel.01_naive_rows");
  EXPECT_EQ(advance_tour(tour, 1, false), "time.to_start");
  tour.paused = true;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(advance_tour(tour, 0.2, false), "");
  EXPECT_EQ(tour.step, 0u);
  tour.paused = false;
  EXPECT_EQ(tour_progress(tour), 0);
  next_tour_step(tour);
  EXPECT_GT(tour_progress(tour), 0);
  EXPECT_NE(advance_tour(tour, 0.1, false), "") << "the next step's command is due at once";
  previous_tour_step(tour);
  EXPECT_EQ(tour.step, 0u);
  for (size_t i = 0; i < tour_steps().size(); ++i) next_tour_step(tour);
  EXPECT_FALSE(tour.running);
}

class Tour : public testing::Test {
 protected:
  void start(const experiment::Experiment& first) {
    driver_ = std::make_unique<WorkspaceDriver>(first);
    commands_ = make_commands(driver_->workspace(), flags_);
    driver_->state().commands = &commands_;
    ASSERT_TRUE(driver_->settle());
  }
  // Plays to the end, and notes the wavefronts of the access at the cursor, without repetitions.
  void play() {
    for (int frame = 0; flags_.tour.running && frame < 3000; ++frame) {
      if (const std::string id = advance_tour(flags_.tour, 0.2, false); !id.empty()) {
        EXPECT_TRUE(commands_.run(id)) << id;
      }
      ASSERT_TRUE(driver_->settle());
      shown_seconds_ += 0.2;
      if (!driver_->state().has_trace()) continue;
      const int count = scenes::wavefront_count(*driver_->state().block, driver_->state().cursor.record);
      if (wavefronts_.empty() || wavefronts_.back() != count) wavefronts_.push_back(count);
    }
  }

  AppFlags flags_;
  CommandTable commands_;
  std::unique_ptr<WorkspaceDriver> driver_;
  std::vector<int> wavefronts_;
  double shown_seconds_ = 0;
};

TEST_F(Tour, EndsWithAConflictThatAppearsAndDisappears) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(small_experiment("07_register_tile", 96));
  driver_->state().timings.visible = true;
  ASSERT_TRUE(commands_.run("tour.start"));
  EXPECT_FALSE(driver_->state().timings.visible);
  play();
  EXPECT_FALSE(flags_.tour.running);
  EXPECT_LT(shown_seconds_, 66) << "with a frame for each command";
  EXPECT_EQ(driver_->state().experiment.kernel, "bank_conflicts");
  ASSERT_GE(wavefronts_.size(), 2u);
  EXPECT_EQ(wavefronts_[wavefronts_.size() - 2], 32);
  EXPECT_EQ(wavefronts_.back(), 1);
  EXPECT_EQ(driver_->state().note, "");
}

TEST_F(Tour, TheKeyEndsItToo) {
  start(small_experiment());
  ASSERT_TRUE(commands_.run("tour.start"));
  ASSERT_TRUE(commands_.run("tour.pause"));
  EXPECT_TRUE(flags_.tour.paused);
  ASSERT_TRUE(commands_.run("tour.next"));
  ASSERT_TRUE(commands_.run("tour.start"));
  EXPECT_FALSE(flags_.tour.running);
  EXPECT_FALSE(commands_.run("tour.next"));
}

}  // namespace
}  // namespace gemmscope::session
