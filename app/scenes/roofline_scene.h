// The roofline chart: attainable and reached FLOP/s over arithmetic intensity, both logarithmic, with a point
// for every variant (metrics/roofline.h says what the model leaves out).
#pragma once

#include <optional>

#include "drawing/geometry.h"
#include "scenes/chart_axis.h"
#include "scenes/contest.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// The exact FLOP per byte of global memory of a variant's executed machine code, at the timings' problem.
struct CountedIntensity {
  experiment::VariantKey key;
  double flop_per_byte = 0;  // 0: not counted
};

struct Roofing {  // one grade's roof: slanted up to its ridge, then level
  experiment::Grade grade = experiment::Grade::fp32;
  drawing::Point ridge, level_end;
  drawing::Rect label;
  std::string text;  // "FP32 peak 66.9"
};
struct RoofPoint {
  int contender = 0;
  drawing::Point at;
  bool counted = false;   // false: the intensity is that of moving A, B and C once
  bool modelled = false;  // the TFLOP/s are the model's, beside points that are not
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
  drawing::Point slant_from, slant_to;  // the roof of the memory bandwidth, up to the highest level roof
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
