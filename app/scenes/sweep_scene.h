// How fast a kernel is against the library at many sizes: a mark for each size, over the work of the product.
// Both axes are logarithmic.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/size_sweep.h"
#include "scenes/chart_axis.h"
#include "scenes/label_room.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct SweepMark {
  size_t point = 0;  // of the sweep
  experiment::SizeShape shape = experiment::SizeShape::square;
  bool slower = false;  // than the library
  drawing::Point at;
  LabelPlace label;
  std::string text;  // "1024\u00b3"
};
struct SweepLegend {
  experiment::SizeShape shape = experiment::SizeShape::square;
  drawing::Point mark;
  drawing::Rect label;
  const char* text = "";
};
struct SweepScene {
  bool empty = true;
  std::string empty_text;
  drawing::Rect title, summary, plot, x_title;
  std::string title_text, summary_text, x_text;
  std::vector<Tick> x_ticks, y_ticks;
  std::vector<drawing::Rect> x_labels, y_labels;
  float library_y = 0;  // where both are as fast
  drawing::Rect library_label;
  std::vector<SweepLegend> legend;
  std::vector<SweepMark> marks;
};
SweepScene layout_sweep(const experiment::SizeSweep& sweep, drawing::Rect area, const SceneMetrics& metrics);
// The point of the mark nearest to a place within `reach` pixels, or -1.
int sweep_point_at(const SweepScene& scene, drawing::Point place, float reach);
// "2048 x 2048 x 1024: 51.0 TFLOP/s, cuBLAS 50.3, so 1.01 times as fast. 17_split_k TILE=0"
std::string describe(const experiment::SizePoint& point);

}  // namespace gemmscope::scenes
