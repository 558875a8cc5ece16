// A cliff curve: how many warps are resident on an SM as one need of a block varies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "metrics/occupancy_curve.h"
#include "scenes/chart_axis.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct PlateauLabel {
  drawing::Rect rect;
  std::string text;  // "6 blocks", or "6" where there is less room
};

struct CliffChart {
  metrics::OccupancyAxis axis = metrics::OccupancyAxis::registers;
  drawing::Rect area, title, now_rect, plot;
  std::string title_text, now_text;  // "Registers per thread"; "55: 4 blocks"
  Axis x, y;
  std::vector<Tick> x_ticks, y_ticks;             // of registers and shared memory: at the cliffs
  std::vector<drawing::Rect> x_labels, y_labels;  // empty: no room
  std::vector<drawing::Rect> fills;               // below the exact curve, a rectangle a step
  std::vector<drawing::Point> exact, textbook;    // both step by step
  std::vector<PlateauLabel> plateaus;
  drawing::Point now;
  std::optional<drawing::Point> before;  // the point before the last change, if it is on the same SM
};
CliffChart layout_cliff_chart(metrics::OccupancyAxis axis, const metrics::OccupancyPoint& point,
                              const std::optional<metrics::OccupancyPoint>& before, drawing::Rect area,
                              const SceneMetrics& metrics);

// The point that a place in the plot stands for: the value below it, on a multiple of what is worth asking
// for (a whole warp of threads, 128 bytes).
metrics::OccupancyPoint point_in_chart(const CliffChart& chart, const metrics::OccupancyPoint& point,
                                       float x);
// "72 registers: 3 blocks, 24 of 48 warps (50 %), limited by registers"
std::string describe_in_chart(const metrics::OccupancyPoint& point, metrics::OccupancyAxis axis);

}  // namespace gemmscope::scenes
