// The shown timings follow every change of their inputs, including the user's problem.
#include "views/shown_contest.h"

#include <gtest/gtest.h>

#include "../scenes/made_up_timings.h"

namespace gemmscope::views {
namespace {

using experiment::Provenance;

session::TimingState with_recordings() {
  session::TimingState state;
  for (const int64_t size : {1024, 4096}) {
    state.recordings.push_back(scenes::made_up_timings(3));
    state.recordings.back().provenance = Provenance::recorded;
    state.recordings.back().problem = {size, size, size};
  }
  return state;
}

TEST(ShownContest, TheRemarkFollowsTheProblem) {
  const session::TimingState state = with_recordings();
  ShownContest shown;
  ASSERT_TRUE(shown.update(state, {256, 256, 256}));
  EXPECT_EQ(shown.contest().remark, "Not your 256\u00b3. Recorded: 1024\u00b3, 4096\u00b3.");
  // The same recording is the nearest, but the problem is another.
  ASSERT_TRUE(shown.update(state, {512, 256, 256}));
  EXPECT_EQ(&shown.timings(), state.recordings.data());
  EXPECT_EQ(shown.contest().remark, "Not your 512 \u00d7 256 \u00d7 256. Recorded: 1024\u00b3, 4096\u00b3.");
  ASSERT_TRUE(shown.update(state, {1024, 1024, 1024}));
  EXPECT_EQ(shown.contest().remark, "");
  ASSERT_TRUE(shown.update(state, {4000, 4000, 4000}));
  EXPECT_EQ(&shown.timings(), &state.recordings[1]);
}

TEST(ShownContest, FollowsTheChoiceAndTheMeasurements) {
  session::TimingState state = with_recordings();
  const catalog::Problem problem{1024, 1024, 1024};
  ShownContest shown;
  ASSERT_TRUE(shown.update(state, problem));
  state.choice.recording = 1;
  ASSERT_TRUE(shown.update(state, problem));
  EXPECT_EQ(&shown.timings(), &state.recordings[1]);
  state.choice.recording = -1;
  auto live = std::make_shared<experiment::Timings>(scenes::made_up_timings(2));
  state.live = live;
  ++state.version;
  ASSERT_TRUE(shown.update(state, problem));
  EXPECT_EQ(&shown.timings(), live.get());
  EXPECT_EQ(shown.contest().provenance, Provenance::measured);
  // The timings being drawn stay alive until the next update, even if the state has newer ones.
  const std::weak_ptr<experiment::Timings> drawn = live;
  state.live = std::make_shared<experiment::Timings>(scenes::made_up_timings(4));
  live.reset();
  EXPECT_FALSE(drawn.expired());
  ++state.version;
  ASSERT_TRUE(shown.update(state, problem));
  EXPECT_TRUE(drawn.expired());
  EXPECT_FALSE(ShownContest().update(session::TimingState{}, problem));
}

}  // namespace
}  // namespace gemmscope::views
