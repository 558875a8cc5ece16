// The roofline: attainable and reached FLOP/s over arithmetic intensity, both logarithmic, every variant a
// point (metrics/roofline.h says what the model leaves out).
#pragma once

#include <optional>

#include "drawing/geometry.h"
#include "scenes/chart_axis.h"
#include "scenes/contest.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// FLOP per byte that the executed machine code of a variant asks of global memory at the timings' problem,
// exact; where it is not counted, nothing.
struct CountedIntensity {
  experiment::VariantKey key;
  double flop_per_byte = 0;
};

struct Roofing {  // a roof: slanted up to its ridge, then level
  experiment::Grade grade = experiment::Grade::fp32;
  drawing::Point ridge, level_end;
  drawing::Rect label;
  std::string text;  // "FP32 peak 66.9"
};
struct RoofPoint {
  int contender = 0;
  drawing::Point at;
  bool counted = false;  // else the intensity is that of A, B and C moved once
  double flop_per_byte = 0, tflops = 0;
  drawing::Rect label;  // empty: no room
  std::string text;
};
struct RooflineScene {
  bool empty = true;
  std::string empty_text;
  drawing::Rect title, plot, x_title;
  std::string title_text, x_text;
  std::vector<Tick> x_ticks, y_ticks;
  std::vector<drawing::Rect> x_labels, y_labels;
  drawing::Point slant_from, slant_to;  // of the memory's bandwidth, up to the highest roof
  drawing::Rect slant_label;
  std::string slant_text;
  std::vector<Roofing> roofs;
  std::vector<RoofPoint> points;  // the focused one last
};
RooflineScene layout_roofline(const experiment::Timings& timings, const Contest& contest, int focus,
                              const std::vector<CountedIntensity>& counted, bool compulsory_traffic,
                              drawing::Rect area, const SceneMetrics& metrics);
int point_at(const RooflineScene& scene, drawing::Point point, float reach);  // contender, or -1

}  // namespace gemmscope::scenes
