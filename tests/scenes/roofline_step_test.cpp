// The arrow of the roofline goes from the ladder's step before to the one that is shown.
#include "scenes/roofline_step.h"

#include <gtest/gtest.h>

namespace gemmscope::scenes {
namespace {

Contender marked(const char* mark, bool current = false) {
  Contender contender;
  contender.mark = mark;
  contender.current = current;
  return contender;
}

RoofPoint at(int contender, float x, float y) {
  RoofPoint point;
  point.contender = contender;
  point.at = {x, y};
  return point;
}

TEST(RooflineStep, GoesFromTheStepBeforeToTheShownOne) {
  Contest contest;
  contest.contenders = {marked("05"), marked("06a"), marked("06"), marked("07", true), marked("")};
  RooflineScene scene;
  scene.points = {at(0, 10, 90), at(1, 20, 80), at(2, 40, 60), at(4, 5, 5), at(3, 100, 60)};
  const auto step = step_before(scene, contest, 8);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->from, (drawing::Point{48, 60})) << "06, not its variant 06a";
  EXPECT_EQ(step->to, (drawing::Point{92, 60}));
}

TEST(RooflineStep, NothingWithoutAStepBefore) {
  Contest contest;
  contest.contenders = {marked("06"), marked("07"), marked("A", true)};
  RooflineScene scene;
  scene.points = {at(0, 10, 10), at(1, 50, 50), at(2, 90, 90)};
  EXPECT_FALSE(step_before(scene, contest, 8)) << "a kernel that is no step";
  contest.contenders[2] = marked("09", true);
  EXPECT_FALSE(step_before(scene, contest, 8)) << "08 has no dot";
  contest.contenders[2] = marked("08", true);
  EXPECT_TRUE(step_before(scene, contest, 8));
  scene.points[2].at = {60, 55};
  EXPECT_FALSE(step_before(scene, contest, 8)) << "the dots touch";
}

}  // namespace
}  // namespace gemmscope::scenes
