// The strip chart: a line for the TFLOP/s of each variant over time, with the variant's name at its end.
#pragma once

#include "drawing/geometry.h"
#include "scenes/chart_axis.h"
#include "scenes/contest.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct StripLine {
  int contender = 0;
  std::vector<drawing::Point> points;  // in order of time
  std::vector<size_t> starts;          // where its pieces start in `points`; nothing was measured in between
  drawing::Rect label;                 // empty: no room
  drawing::Point end;                  // of the line, where the label belongs
  std::string text;
};
struct StripScene : ChartFrame {
  std::vector<Tick> time_ticks;
  std::vector<drawing::Rect> time_labels;  // parallel to the ticks
  std::vector<StripLine> lines;            // the focused one last, so that it is drawn on top
};
// Shows the last `seconds` of the samples, or all if they cover less. The value axis is logarithmic if the
// fastest is more than 12 times the slowest.
StripScene layout_strip(const experiment::Timings& timings, const Contest& contest, int focus, double seconds,
                        drawing::Rect area, const SceneMetrics& metrics);
// The line that is nearest to a point and at most `reach` pixels from it, or -1.
int line_at(const StripScene& scene, drawing::Point point, float reach);

}  // namespace gemmscope::scenes
