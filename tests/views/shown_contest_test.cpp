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
  EXPECT_EQ(shown.contest().remark, "Not your 256\u00b3, but the recorded 1024\u00b3: 64 times the work.");
  // The same recording is the nearest, but the problem is another.
  ASSERT_TRUE(shown.update(state, {512, 256, 256}));
  EXPECT_EQ(&shown.timings(), state.recordings.data());
  EXPECT_EQ(shown.contest().remark,
            "Not your 512 \u00d7 256 \u00d7 256, but the recorded 1024\u00b3: 32 times the work.");
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

TEST(ShownContest, PutsTheModelBesideTheSameDeviceAndSize) {
  session::TimingState state = with_recordings();
  const catalog::Problem problem{1024, 1024, 1024};
  auto modelled = std::make_shared<experiment::Timings>(scenes::made_up_timings(2, 1));
  modelled->provenance = Provenance::modelled;
  modelled->problem = problem;
  modelled->variants.push_back(scenes::made_up_variant("02_kernel", 7, 1));
  modelled->variants.back().toggles = {{"PAD", 1}};
  state.modelled = modelled;
  state.racers = {{"02_kernel", {{"PAD", 1}}}};
  ShownContest shown;
  ASSERT_TRUE(shown.update(state, problem));
  EXPECT_EQ(shown.contest().provenance, Provenance::recorded);
  int beside = 0, instead = 0;
  for (const scenes::Contender& c : shown.contest().contenders) {
    beside += !c.modelled_text.empty();
    instead += c.modelled;
  }
  EXPECT_EQ(beside, 2);
  EXPECT_EQ(instead, 1) << "the racer that nobody recorded";
  // Of another size or another device the model says nothing here.
  ASSERT_TRUE(shown.update(state, {4096, 4096, 4096}));
  EXPECT_EQ(&shown.timings(), &state.recordings[1]);
  state.choice.modelled = true;
  ++state.version;
  ASSERT_TRUE(shown.update(state, problem));
  EXPECT_EQ(shown.contest().provenance, Provenance::modelled);
  EXPECT_EQ(&shown.timings(), modelled.get());
}

}  // namespace
}  // namespace gemmscope::views
