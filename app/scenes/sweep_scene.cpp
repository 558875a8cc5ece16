#include "scenes/sweep_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiment/timing_choice.h"
#include "scenes/timing_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using experiment::SizePoint;
using experiment::SizeShape;
using experiment::SizeSweep;

// Round factors: between 0.9 and 1.2 lies most of what is of interest.
constexpr double kFactors[] = {0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 10};

double gflop(const SizePoint& point) { return experiment::flops(point.problem) / 1e9; }

struct Axes {
  Axis x, y;
};

// A little wider than the points, and never without the line of the library.
Axes axes_of(const SizeSweep& sweep, Rect plot) {
  double low = 1, high = 1, least = HUGE_VAL, most = 0;
  for (const SizePoint& p : sweep.points) {
    low = std::min(low, p.of_library);
    high = std::max(high, p.of_library);
    least = std::min(least, gflop(p));
    most = std::max(most, gflop(p));
  }
  constexpr double kMargin = 1.06;
  return {{least / 1.6, most * 1.6, plot.left, plot.right, true},
          {low / kMargin, high * kMargin, plot.bottom, plot.top, true}};
}

void add_axes(SweepScene& scene, const Axes& axes, float label_width, const SceneMetrics& m) {
  scene.x_ticks = make_ticks(axes.x, 70 * m.scale);
  scene.x_labels = labels_below(
      scene.x_ticks, 60 * m.scale,
      {scene.plot.left, scene.plot.bottom, scene.plot.right, scene.plot.bottom + m.small_height});
  for (const double factor : kFactors) {
    if (factor < axes.y.low || factor > axes.y.high) continue;
    const float y = axes.y.at(factor);
    if (!scene.y_ticks.empty() && scene.y_ticks.back().position - y < m.small_height) continue;
    scene.y_ticks.push_back({factor, y, fmt::format("{:g}", factor)});
    scene.y_labels.push_back({scene.plot.left - label_width, y - m.small_height / 2,
                              scene.plot.left - std::round(5 * m.scale), y + m.small_height / 2});
  }
}

// Points far from the library's line are named first: those are what one asks about.
void add_marks(SweepScene& scene, const SizeSweep& sweep, const Axes& axes, LabelRoom& room,
               const SceneMetrics& m) {
  const float reach = std::round(6 * m.scale);
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SizePoint& p = sweep.points[i];
    const Point at{axes.x.at(gflop(p)), axes.y.at(p.of_library)};
    scene.marks.push_back(
        {i, experiment::size_shape(p.problem), p.of_library < 1, at, {}, experiment::size_text(p.problem)});
    room.take({at.x - reach, at.y - reach, at.x + reach, at.y + reach});
  }
  std::vector<size_t> order(scene.marks.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>{}, [&](size_t i) {
    const double factor = sweep.points[scene.marks[i].point].of_library;
    return factor < 1 ? 10 - factor : std::log(factor);
  });
  for (const size_t i : order) {
    SweepMark& mark = scene.marks[i];
    mark.label = room.beside(mark.at, small_text_width(m, mark.text), reach + m.scale);
    if (mark.label.has_leader()) mark.label = {};
  }
}

void add_legend(SweepScene& scene, Rect row, const SceneMetrics& m) {
  constexpr std::pair<SizeShape, const char*> kShapes[] = {{SizeShape::square, "square or nearly"},
                                                           {SizeShape::tall_or_wide, "tall or wide"},
                                                           {SizeShape::deep, "K-heavy"},
                                                           {SizeShape::ragged, "ragged rows"}};
  for (const auto& [shape, text] : kShapes) {
    const float width = small_text_width(m, text);
    if (row.width() < width + 16 * m.scale) return;
    const Rect mark = row.cut_left(std::round(16 * m.scale));
    scene.legend.push_back({shape, mark.center(), row.cut_left(width), text});
    row.cut_left(std::round(8 * m.scale));
  }
}

}  // namespace

std::string describe(const SizePoint& point) {
  return fmt::format("{}: {} TFLOP/s, cuBLAS {}, so {:.2f} times as fast. {}",
                     experiment::size_text(point.problem), figure_text(point.tflops),
                     figure_text(point.library_tflops), point.of_library, point.name);
}

SweepScene layout_sweep(const SizeSweep& sweep, Rect area, const SceneMetrics& m) {
  SweepScene scene;
  if (sweep.points.empty()) {
    scene.empty_text = "No size has both a time of ours and one of cuBLAS.";
    return scene;
  }
  const float label_width = std::round(small_text_width(m, "2.5") + 8 * m.scale);
  scene.title = area.cut_top(m.line_height);
  scene.summary = area.cut_top(std::round(1.4f * m.small_height));
  const Rect legend = area.cut_top(std::round(1.6f * m.small_height));
  scene.x_title = area.cut_bottom(m.small_height);
  Rect plot = area;
  plot.cut_top(std::round(m.small_height / 2));  // a label may stand at its upper end
  plot.cut_bottom(m.small_height);
  plot.cut_left(label_width);
  plot.cut_right(std::round(4 * m.scale));
  if (plot.width() < 120 * m.scale || plot.height() < 4 * m.small_height) {
    scene = {};
    scene.empty_text = "No room for the chart.";
    return scene;
  }
  scene.empty = false;
  scene.plot = plot;
  const SizePoint& least = sweep.points[sweep.least];
  scene.title_text = "How many times as fast as cuBLAS, at each size";
  scene.summary_text =
      fmt::format("{} sizes: geometric mean {:.2f}, least {:.2f} at {}.", sweep.points.size(),
                  sweep.geometric_mean, least.of_library, experiment::size_text(least.problem));
  scene.x_text = "work of the product, GFLOP";
  add_legend(scene, legend, m);
  const Axes axes = axes_of(sweep, plot);
  add_axes(scene, axes, label_width, m);
  LabelRoom room(plot, m.small_height);
  scene.library_y = axes.y.at(1);
  const float width = small_text_width(m, "cuBLAS");
  scene.library_label = {plot.right - width - 4 * m.scale, scene.library_y + 2 * m.scale, plot.right,
                         scene.library_y + 2 * m.scale + m.small_height};
  room.take(scene.library_label);
  room.take_line({plot.left, scene.library_y}, {plot.right, scene.library_y});
  add_marks(scene, sweep, axes, room, m);
  return scene;
}

int sweep_point_at(const SweepScene& scene, Point place, float reach) {
  int nearest = -1;
  float least = reach;
  for (const SweepMark& mark : scene.marks) {
    const float distance = std::hypot(mark.at.x - place.x, mark.at.y - place.y);
    if (distance <= least) least = distance, nearest = static_cast<int>(mark.point);
  }
  return nearest;
}

}  // namespace gemmscope::scenes
