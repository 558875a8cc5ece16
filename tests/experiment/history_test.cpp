#include "experiment/history.h"

#include <gtest/gtest.h>

namespace gemmscope::experiment {
namespace {

Experiment with_m(int64_t m) {
  Experiment e;
  e.problem.m = m;
  return e;
}

TEST(History, StartsWithNothingToUndo) {
  History history(with_m(1));
  EXPECT_FALSE(history.can_undo());
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.undo().problem.m, 1);
  EXPECT_EQ(history.redo().problem.m, 1);
}

TEST(History, UndoesAndRedoesInOrder) {
  History history(with_m(1));
  for (int64_t m : {2, 3, 4}) history.push(with_m(m));
  EXPECT_EQ(history.current().problem.m, 4);
  for (int64_t m : {3, 2, 1}) EXPECT_EQ(history.undo().problem.m, m);
  EXPECT_FALSE(history.can_undo());
  EXPECT_EQ(history.undo().problem.m, 1);
  for (int64_t m : {2, 3, 4}) EXPECT_EQ(history.redo().problem.m, m);
  EXPECT_FALSE(history.can_redo());
}

TEST(History, ANewStateForgetsWhatWasUndone) {
  History history(with_m(1));
  history.push(with_m(2));
  history.push(with_m(3));
  history.undo();
  history.push(with_m(9));
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.current().problem.m, 9);
  EXPECT_EQ(history.undo().problem.m, 2);
  EXPECT_EQ(history.undo().problem.m, 1);
}

TEST(History, TheSameExperimentAgainChangesNothing) {
  History history(with_m(1));
  history.push(with_m(2));
  history.undo();
  history.push(with_m(1));
  EXPECT_TRUE(history.can_redo());
  EXPECT_FALSE(history.can_undo());
}

TEST(History, ForgetsTheOldestStepsBeyondItsLimit) {
  History history(with_m(0));
  for (int64_t m = 1; m <= 2500; ++m) history.push(with_m(m));
  EXPECT_EQ(history.current().problem.m, 2500);
  int steps = 0;
  for (; history.can_undo(); ++steps) history.undo();
  EXPECT_EQ(steps, 999);
  EXPECT_EQ(history.current().problem.m, 2500 - 999);
}

TEST(Experiments, DifferInEachOfTheirParts) {
  const Experiment base;
  EXPECT_EQ(base, Experiment());
  std::vector<Experiment> others(9);
  others[0].kernel = "01_naive_rows";
  others[1].problem.m = 1;
  others[2].problem.n = 1;
  others[3].problem.k = 1;
  others[4].problem.alpha = 2;
  others[5].problem.beta = 2;
  others[6].toggles["X"] = 1;
  others[7].arch = isa::Arch::sm_90;
  others[8].block[2] = 1;
  for (size_t i = 0; i < others.size(); ++i) EXPECT_FALSE(others[i] == base) << "part " << i;
}

TEST(History, AContinuedChangeIsOneStep) {
  History history(with_m(1));
  history.push(with_m(2));
  for (int64_t m : {3, 4, 5}) history.replace(with_m(m));
  EXPECT_EQ(history.current().problem.m, 5);
  EXPECT_EQ(history.undo().problem.m, 1);
  EXPECT_FALSE(history.can_undo());
  EXPECT_EQ(history.redo().problem.m, 5);
  history.undo();
  history.push(with_m(6));
  history.replace(with_m(7));
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.undo().problem.m, 1);
}

TEST(History, AChangeBackToTheStartIsNoStep) {
  History history(with_m(1));
  history.push(with_m(2));
  history.push(with_m(3));
  history.replace(with_m(2));
  EXPECT_EQ(history.undo().problem.m, 1);
  EXPECT_EQ(history.redo().problem.m, 2);
}

}  // namespace
}  // namespace gemmscope::experiment
