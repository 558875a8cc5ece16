// Where the variants of a contest stand under the roofs: their rates, and their bytes of a level of memory.
#pragma once

#include <string>
#include <vector>

#include "scenes/roofline_scene.h"

namespace gemmscope::scenes {

struct RooflinePoints {
  struct Point {
    int contender = 0;
    double intensity = 0, tflops = 0;
    bool least_bytes = false, above = false;
  };
  std::vector<Point> points;
  std::vector<int> rates;          // contenders of the library whose bytes are not known
  std::vector<double> compulsory;  // intensities of moving A, B and C once, of the factors' sizes, ascending
  int missing = 0;                 // variants whose bytes are not known (yet)
};
RooflinePoints roofline_points(const experiment::Timings& timings, const Contest& contest,
                               const RooflineInput& input);

// What is on the axis, how far the counting is, or why points are above their roof. The longest of the texts
// that `fits` accepts, else the shortest.
struct RooflineNote {
  std::vector<std::string> texts;  // the longest first
  bool working = false, trouble = false;
};
RooflineNote roofline_note(const experiment::Timings& timings, const Contest& contest,
                           const RooflineInput& input, const RooflinePoints& points);

}  // namespace gemmscope::scenes
