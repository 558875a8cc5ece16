// The guesses of a class for a number, as a strip of dots beside the truth.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "drawing/geometry.h"

namespace gemmscope::scenes {

struct GuessedNumber {
  double number = 0;
  int count = 1;
  bool right = false;
};
struct GuessDot {
  drawing::Rect rect;  // of one guess; of several where they would not all fit
  bool right = false;
};
struct GuessStrip {
  std::vector<GuessDot> dots;
  drawing::Rect axis;
  drawing::Rect truth;  // a line over the whole height
  double least = 0, most = 0;
  bool logarithmic = false;
};

// Lays the guesses out in `area`: equal ones lie one on the other, above the axis at the bottom. The axis is
// logarithmic where the numbers are positive and lie far apart. `dot`: the size of a dot, where there is
// room.
GuessStrip layout_guess_strip(std::span<const GuessedNumber> guesses, double truth, drawing::Rect area,
                              float dot);

}  // namespace gemmscope::scenes
