// The pipeline view, the occupancy calculator and the device board, worked with the mouse: what is dragged
// moves by as many pixels as the mouse did, and only what should change does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "window_fixture.h"

namespace gemmscope::window {
namespace {

struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;
};

uint32_t pixel(const Screenshot& shot, int x, int y) {
  return shot.pixels[static_cast<size_t>(y) * static_cast<size_t>(shot.width) + static_cast<size_t>(x)];
}

// The share of pixels of the box that differ from those `dx` to the left in the other picture.
double difference(const Screenshot& a, const Screenshot& b, Box box, int dx = 0) {
  int different = 0, all = 0;
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = std::max(box.left, box.left + dx); x < std::min(box.right, box.right + dx); ++x) {
      different += pixel(b, x, y) != pixel(a, x - dx, y);
      ++all;
    }
  return static_cast<double>(different) / std::max(1, all);
}

// By how many pixels the box's content moved to the right.
int shift_of(const Screenshot& a, const Screenshot& b, Box box) {
  int best = 0;
  double least = 2;
  for (int dx = -260; dx <= 260; ++dx)
    if (const double d = difference(a, b, box, dx); d < least) least = d, best = dx;
  return best;
}

// Places in a window of 1600 x 900 with the pipeline over everything but the experiment.
constexpr Box kStages{458, 325, 1312, 405}, kEmptyRow{458, 503, 1312, 512}, kSide{1325, 258, 1580, 765};
constexpr int kWaveY = 264, kAxisY = 289, kStagesY = 345, kEmptyY = 507;

class ClockWindow : public WindowTest {
 protected:
  Screenshot still() {
    Screenshot shot;
    EXPECT_TRUE(eventually([&] { return settled(shot); })) << "the picture goes on moving";
    return shot;
  }
  // After an event: on a busy computer the picture may stay as it was for a while.
  Screenshot changed(const Screenshot& before, const std::string& event) {
    EXPECT_TRUE(eventually([&] { return look() != before; })) << event << " changes nothing";
    return still();
  }
  Screenshot press_still(const char* key) {
    const Screenshot before = look();
    press(key);
    return changed(before, key);
  }
  void hold(int x, int y, int to_x, int to_y, const char* button = "1") {
    xdotool({"mousemove", std::to_string(x), std::to_string(y)});
    sleep_ms(150);
    xdotool({"mousedown", button});
    for (int step = 1; step <= 4; ++step) {
      sleep_ms(80);
      xdotool({"mousemove", std::to_string(x + (to_x - x) * step / 4),
               std::to_string(y + (to_y - y) * step / 4)});
    }
    sleep_ms(150);
  }
  // So that no tooltip lies over the picture.
  Screenshot move_away() {
    sleep_ms(150);
    xdotool({"mousemove", "1599", "899"});
    sleep_ms(500);
    return still();
  }
  Screenshot let_go(const char* button = "1") {
    xdotool({"mouseup", button});
    return move_away();
  }
  Screenshot drag(int x, int y, int to_x, int to_y, const char* button = "1") {
    const Screenshot before = look();
    hold(x, y, to_x, to_y, button);
    EXPECT_TRUE(eventually([&] { return look() != before; }))
        << "button " << button << " at " << x << "," << y;
    return let_go(button);
  }
  Screenshot click(int x, int y) {
    hold(x, y, x, y);
    return let_go();
  }
  Screenshot wheel(int x, int y, const char* button, int notches) {
    xdotool({"mousemove", std::to_string(x), std::to_string(y)});
    const Screenshot before = still();
    for (int i = 0; i < notches; ++i) {
      xdotool({"click", button});
      sleep_ms(80);
    }
    changed(before, "the wheel");
    return move_away();
  }
  Screenshot open_pipeline(const char* kernel = "11_prefetch") {
    start_and_pause({"--kernel", kernel, "--m", "512", "--n", "512", "--k", "512"});
    still();
    press_still("shift+i");
    sleep_ms(1500);  // the model comes after the machine code
    return still();
  }
};

TEST_F(ClockWindow, ThePipelineIsPannedAndZoomedWithTheMouse) {
  open_pipeline();
  const Screenshot first = press_still("equal");
  const Screenshot panned = drag(1000, kAxisY, 900, kAxisY);
  EXPECT_NEAR(shift_of(first, panned, kStages), -100, 2) << "dragging the axis";
  const Screenshot back = drag(900, kStagesY, 1000, kStagesY, "2");
  EXPECT_NEAR(shift_of(panned, back, kStages), 100, 2) << "dragging with the middle button";
  EXPECT_LT(difference(first, back, kStages), 0.02);

  const Screenshot zoomed = wheel(800, kStagesY, "4", 4);
  EXPECT_GT(difference(back, zoomed, kStages), 0.05) << "the wheel does not zoom";
  const Box under_mouse{796, kStages.top, 804, kStages.bottom};
  EXPECT_LT(difference(back, zoomed, under_mouse), 0.3) << "what is under the mouse moves";
  const Screenshot out = wheel(800, kStagesY, "5", 4);
  EXPECT_LT(difference(back, out, kStages), 0.02) << "zooming out does not undo zooming in";

  xdotool({"keydown", "shift"});
  const Screenshot sideways = wheel(800, kStagesY, "5", 1);
  xdotool({"keyup", "shift"});
  EXPECT_LT(shift_of(out, sideways, kStages), -60) << "Shift and the wheel do not pan";

  // The strip of the whole wave goes where it is clicked; 9 shows the first passes again.
  const Screenshot passes = press_still("9");
  const Screenshot late = drag(1200, kWaveY, 1201, kWaveY);
  EXPECT_GT(difference(passes, late, kStages), 0.05) << "the strip of the wave";
  EXPECT_LT(difference(passes, press_still("9"), kStages), 0.001);
  close_by_its_cross();
}

TEST_F(ClockWindow, DraggingMeasuresTheTimeAndItsStalls) {
  const Screenshot before = open_pipeline();
  const Screenshot measured = drag(800, kEmptyY, 1000, kEmptyY);
  int first = 1 << 20, last = 0;
  for (int x = kEmptyRow.left; x < kEmptyRow.right; ++x)
    if (pixel(before, x, kEmptyY) != pixel(measured, x, kEmptyY)) first = std::min(first, x), last = x;
  EXPECT_NEAR(first, 800, 2);
  EXPECT_NEAR(last, 1000, 2);
  EXPECT_GT(difference(before, measured, kSide), 0.01) << "the reasons are not those of the measured range";
  const Screenshot after = click(1100, kEmptyY);  // removes it, and moves the cursor
  EXPECT_EQ(pixel(after, 900, kEmptyY), pixel(before, 900, kEmptyY));
  EXPECT_LT(difference(before, after, {1325, 258, 1580, 275}), 0.001) << "the title of the visible range";
  close_by_its_cross();
}

TEST_F(ClockWindow, AStallIsFollowedToItsCauseAndBack) {
  open_pipeline("02_naive_coalesced");
  // Of the whole wave a stall is a thin line.
  const Screenshot before = press_still("0");
  constexpr Box kStagesAndWarps{458, 325, 1312, 765};
  EXPECT_GT(difference(before, press_still("j"), kStagesAndWarps), 0.05) << "the stall is too narrow to see";
  // Some stalls have no single cause, and a line says why.
  bool followed = false;
  for (int i = 0; i < 8 && !followed; ++i) {
    const Screenshot stall = still(), cause = press_still("y");
    followed = difference(stall, cause, kSide) > 0.01;
    if (!followed) {
      press_still("j");
      continue;
    }
    press_still("shift+y");
    EXPECT_LT(difference(cause, press_still("y"), kSide), 0.001) << "it is not the same cause";
  }
  EXPECT_TRUE(followed);

  // A bookmark is found again from elsewhere, and removed.
  const Screenshot marked = press_still("f");
  press_still("j");
  const Screenshot elsewhere = press_still("j");
  EXPECT_GT(difference(marked, elsewhere, kSide), 0.01);
  press_still("alt+Up");
  press_still("f");
  close_by_its_cross();
}

TEST_F(ClockWindow, OnePassStandsBesideTheMean) {
  const Screenshot before = open_pipeline();
  const Screenshot with = press_still("alt+k");
  EXPECT_GT(difference(before, with, {1325, 258, 1580, 400}), 0.01);
  EXPECT_EQ(difference(before, with, kStages), 0) << "only the side changes";
  press_and_see_again("alt+k", before);
  close_by_its_cross();
}

// A waiting instruction of the list at the side leads to its longest wait.
TEST_F(ClockWindow, AWaitingInstructionIsClicked) {
  const Screenshot before = open_pipeline();
  const Screenshot after = click(1400, 501);
  EXPECT_GT(difference(before, after, kSide), 0.01) << "no step is described";
  EXPECT_GT(difference(before, after, kStages), 0.05) << "its wait is too narrow to see";
  close_by_its_cross();
}

TEST_F(ClockWindow, ThePinnedTimelineIsAlignedAtTheBlockOrAtThePass) {
  const Screenshot alone = open_pipeline();
  press_still("p");
  press_still("Next");
  sleep_ms(1500);
  EXPECT_GT(difference(alone, still(), kStages), 0.05);
  const Screenshot at_block = press_still("8");  // the pass at the cursor
  constexpr Box kAllStages{458, 325, 1312, 500};
  EXPECT_GT(difference(at_block, press_still("alt+i"), kAllStages), 0.002) << "the pinned bars do not move";
  EXPECT_LT(difference(at_block, press_still("alt+i"), kAllStages), 0.0005);
  close_by_its_cross();
}

// Playing moves in cycles, and map, code and timeline follow.
TEST_F(ClockWindow, PlayingInCyclesMovesMapCodeAndTimeline) {
  start_and_pause({"--kernel", "11_prefetch", "--m", "512", "--n", "512", "--k", "512"});
  still();
  press_still("i");
  sleep_ms(1500);
  const Screenshot before = still();
  press("space");
  sleep_ms(2500);
  const Screenshot after = press_still("space");
  EXPECT_GT(difference(before, after, {320, 190, 950, 390}), 0.0005) << "the map";
  EXPECT_GT(difference(before, after, {990, 190, 1570, 390}), 0.0005) << "the code";
  EXPECT_GT(difference(before, after, {460, 500, 1296, 760}), 0.0005) << "the timeline";
  close_by_its_cross();
}

// The sliders of the board change the first device alone, while they are still held.
TEST_F(ClockWindow, ASliderOfTheBoardReordersWhileItIsHeld) {
  start_and_pause();
  still();
  press_still("shift+d");
  // Modelled one by one; nothing moves any more when all are there.
  Screenshot before;
  ASSERT_TRUE(eventually([&] {
    before = look();
    sleep_ms(6000);
    return look() == before;
  }));
  constexpr Box kLeft{825, 182, 1058, 590}, kRight{1342, 182, 1575, 590};
  hold(473, 259, 560, 259);  // the clock, up
  EXPECT_TRUE(eventually([&] { return difference(before, look(), kLeft) > 0.01; }));
  EXPECT_EQ(difference(before, look(), kRight), 0) << "the other device stays";
  let_go();
  press("shift+d");
  close_by_its_cross();
}

TEST_F(ClockWindow, ThePointOfACliffCurveIsDragged) {
  start_and_pause();
  still();
  const Screenshot before = press_still("shift+o");
  constexpr Box kPlate{322, 185, 440, 224}, kLimits{874, 260, 1580, 420};
  hold(532, 702, 610, 702);  // registers, over the edge of a block
  EXPECT_TRUE(eventually([&] { return difference(before, look(), kPlate) > 0.01; })) << "not while dragging";
  const Screenshot after = let_go();
  EXPECT_GT(difference(before, after, kLimits), 0.01);
  const Screenshot preset = press_still("alt+p");
  EXPECT_GT(difference(after, preset, kLimits), 0.01);
  press("shift+o");
  close_by_its_cross();
}

}  // namespace
}  // namespace gemmscope::window
