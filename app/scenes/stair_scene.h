// The staircase: a step for each kernel as high as its TFLOP/s, and at each riser the factor between the two.
// It stands for a recording and for modelled times, which have no course over time.
#pragma once

#include "drawing/geometry.h"
#include "scenes/chart_axis.h"
#include "scenes/contest.h"
#include "scenes/label_room.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct Stair {
  int contender = 0;
  drawing::Rect slot;            // from the top of the plot to the bottom of the labels, for the mouse
  drawing::Rect body;            // from the tread down to the floor
  drawing::Rect mark, value;     // below the floor; empty: no room
  std::string value_text;        // "51"
  bool modelled = false;         // the others are not
  drawing::Rect modelled_label;  // "modelled", over its tread
};
struct Riser {
  float x = 0, top = 0, bottom = 0;
  bool down = false;  // the step is slower than the one before
  LabelPlace label;
  std::string text;  // "×3.4"
};
// A variant of a kernel: a mark over, on or under the step of its kernel.
struct StairVariant {
  int contender = 0;
  drawing::Point at;
  bool modelled = false;
  LabelPlace label;
};
// The library's products of a grade: a line over the steps of that grade.
struct StairLibrary {
  int contender = 0;
  float left = 0, right = 0, y = 0;
  drawing::Rect label;
  std::string text;  // "cuBLAS FP32 51.4"
};
struct StairScene : ChartFrame {
  std::vector<Stair> stairs;
  std::vector<Riser> risers;
  std::vector<StairVariant> variants;
  std::vector<StairLibrary> libraries;
};
StairScene layout_stairs(const Contest& contest, int focus, drawing::Rect area, const SceneMetrics& metrics);
// The contender of the step or mark under a point, or -1. `reach`: from a mark, in pixels.
int stair_at(const StairScene& scene, drawing::Point point, float reach);

// "×1.07", "×3.4", "×12", "×0.93".
std::string speedup_text(double factor);

}  // namespace gemmscope::scenes
