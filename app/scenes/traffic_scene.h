// The picture of the bytes that each launch moves: sectors times 32, from the counters of the whole grid, per
// element of the problem (M x N). So one launch less is one bar less on the same scale.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/results.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct TrafficBar {
  drawing::Rect name_rect, read, written, text_rect;
  std::string name, text;
  double read_bytes = 0, written_bytes = 0;  // of the launch
  bool total = false;
};
struct TrafficTick {
  float x = 0;
  std::string text;
};

struct TrafficScene {
  bool empty = true;
  std::string empty_text;
  std::vector<TrafficBar> bars;  // the launches, then their sum where there are several
  std::vector<TrafficTick> ticks;
  drawing::Rect plot, axis;
};
// `grid` is null until it has been executed.
TrafficScene layout_traffic(const experiment::GridResult* grid, const catalog::Problem& problem,
                            drawing::Rect area, const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
