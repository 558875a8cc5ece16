#include "scenes/roofline_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/roofline.h"
#include "scenes/timing_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using experiment::Grade;

double compulsory_intensity(const experiment::Timings& timings, const Contender& c) {
  const catalog::Problem& p = timings.problem;
  const double bytes = metrics::compulsory_bytes({p.m, p.n, p.k, p.beta, c.grade == Grade::bf16 ? 2u : 4u});
  return metrics::arithmetic_intensity(experiment::flops(timings, timings.variants[c.variant]), bytes);
}

struct Placed {
  int contender = 0;
  double intensity = 0, tflops = 0;
  bool counted = false;
};

std::vector<Placed> place_contenders(const experiment::Timings& timings, const Contest& contest,
                                     const std::vector<CountedIntensity>& counted, bool compulsory) {
  std::vector<Placed> placed;
  for (size_t i = 0; i < contest.contenders.size(); ++i) {
    const Contender& c = contest.contenders[i];
    if (c.tflops <= 0) continue;
    Placed p{static_cast<int>(i), compulsory_intensity(timings, c), c.tflops, false};
    if (!compulsory && !c.library)
      for (const CountedIntensity& known : counted)
        if (known.key == c.key && known.flop_per_byte > 0)
          p.intensity = known.flop_per_byte, p.counted = true;
    if (p.intensity > 0) placed.push_back(p);
  }
  return placed;
}

int rank(const Contest& contest, int index, int focus) {
  const Contender& c = contest.contenders[static_cast<size_t>(index)];
  return index == focus ? 4 : c.current ? 3 : c.previous ? 2 : c.library ? 1 : 0;
}

std::string point_label(const Contender& c, bool strong) {
  if (c.library || strong) return c.label;
  const bool numbered = c.label.size() > 2 && std::isdigit(static_cast<unsigned char>(c.label[0])) != 0;
  return (numbered ? c.label.substr(0, 2) : c.label.substr(0, 12)) + (c.modelled ? " modelled" : "");
}

struct Axes {
  Axis x, y;
};

Axes axes_of(const experiment::Timings& timings, const std::vector<Placed>& placed,
             const std::vector<Grade>& grades, Rect plot) {
  double least_x = HUGE_VAL, most_x = 0, least_y = HUGE_VAL, most_y = 0;
  for (const Placed& p : placed) {
    least_x = std::min(least_x, p.intensity), most_x = std::max(most_x, p.intensity);
    least_y = std::min(least_y, p.tflops), most_y = std::max(most_y, p.tflops);
  }
  const double bytes = timings.device.memory_gb_per_second * 1e9;
  for (const Grade grade : grades)
    if (const double peak = experiment::peak_flops(timings.device, grade); peak > 0) {
      most_y = std::max(most_y, peak * 1e-12);
      if (bytes > 0) {
        most_x = std::max(most_x, 2 * peak / bytes);
        least_x = std::min(least_x, 0.25 * peak / bytes);
      }
    }
  return {{round_down(least_x / 1.2), round_up(most_x * 1.5), plot.left, plot.right, true},
          {round_down(least_y / 1.2), round_up(most_y * 1.1), plot.bottom, plot.top, true}};
}

// Keeps rectangles apart: a label takes the first place that is free and inside the area.
class LabelRoom {
 public:
  LabelRoom(Rect area, float height) : area_(area), height_(height) {}
  void take(Rect rect) { taken_.push_back(rect); }
  bool is_free(Rect rect) const {
    if (rect.left < area_.left || rect.right > area_.right || rect.top < area_.top ||
        rect.bottom > area_.bottom)
      return false;
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](Rect other) { return !rect.intersected(other).empty(); });
  }
  Rect beside(Point at, float width, float reach) {
    for (const float shift : {0.0f, -0.6f, 0.6f, -1.2f, 1.2f, -2.0f, 2.0f})
      for (const bool right : {true, false}) {
        const float left = right ? at.x + reach : at.x - reach - width;
        const Rect rect =
            Rect::at({left, std::round(at.y - height_ / 2 + shift * height_)}, {width, height_});
        if (is_free(rect)) return take(rect), rect;
      }
    return {};
  }

 private:
  Rect area_;
  float height_;
  std::vector<Rect> taken_;
};

void add_axes(RooflineScene& scene, const Axes& axes, float axis_width, const SceneMetrics& m) {
  scene.y_ticks = make_ticks(axes.y, m.small_height * 1.3f);
  for (const Tick& tick : scene.y_ticks)
    scene.y_labels.push_back(Rect::at(
        {scene.plot.left - axis_width, std::clamp(tick.position - m.small_height / 2, scene.title.bottom,
                                                  scene.plot.bottom - m.small_height / 2)},
        {axis_width - 4 * m.scale, m.small_height}));
  const float width = small_text_width(m, "10,000");
  scene.x_ticks = make_ticks(axes.x, width * 1.1f);
  scene.x_labels = labels_below(
      scene.x_ticks, width,
      {scene.plot.left, scene.plot.bottom, scene.plot.right, scene.plot.bottom + m.small_height});
}

void add_roofs(RooflineScene& scene, const experiment::Timings& timings, const std::vector<Grade>& grades,
               const Axes& axes, LabelRoom& room, const SceneMetrics& m) {
  const double bytes = timings.device.memory_gb_per_second * 1e9;
  double highest = 0;
  for (const Grade grade : grades) {
    const double peak = experiment::peak_flops(timings.device, grade);
    if (peak <= 0) continue;
    highest = std::max(highest, peak);
    const metrics::Roof roof{peak, bytes};
    Roofing roofing;
    roofing.grade = grade;
    roofing.ridge = {bytes > 0 ? axes.x.at(roof.ridge()) : scene.plot.left, axes.y.at(peak * 1e-12)};
    roofing.level_end = {scene.plot.right, roofing.ridge.y};
    roofing.text = fmt::format("{} peak {}", experiment::grade_name(grade), figure_text(peak * 1e-12));
    const float width = small_text_width(m, roofing.text);
    // The label is above its line at the right end, or below it.
    for (const float top : {roofing.ridge.y - m.small_height - 1, roofing.ridge.y + 2}) {
      const Rect rect = Rect::at({scene.plot.right - width, std::round(top)}, {width, m.small_height});
      if (!room.is_free(rect)) continue;
      roofing.label = rect;
      room.take(rect);
      break;
    }
    scene.roofs.push_back(roofing);
    room.take({roofing.ridge.x, roofing.ridge.y - 1, roofing.level_end.x, roofing.ridge.y + 1});
  }
  if (bytes <= 0 || highest <= 0) return;
  // The slanted roof starts where it enters the plot, from the left or from below.
  const double enters = std::max(axes.x.low, axes.y.low * 1e12 / bytes);
  scene.slant_from = {axes.x.at(enters), axes.y.at(enters * bytes * 1e-12)};
  scene.slant_to = {axes.x.at(highest / bytes), axes.y.at(highest * 1e-12)};
  scene.slant_text = fmt::format("memory {} TB/s", figure_text(bytes * 1e-12));
  const float width = small_text_width(m, scene.slant_text);
  for (const float along : {0.25f, 0.5f, 0.75f, 0.1f}) {
    const Point at{std::lerp(scene.slant_from.x, scene.slant_to.x, along),
                   std::lerp(scene.slant_from.y, scene.slant_to.y, along)};
    const Rect rect = Rect::at({at.x - width - 6 * m.scale, at.y - m.small_height}, {width, m.small_height});
    if (!room.is_free(rect)) continue;
    scene.slant_label = rect;
    room.take(rect);
    break;
  }
  constexpr int kPieces = 48;  // labels keep clear of the line
  for (int i = 0; i < kPieces; ++i) {
    const Point a{std::lerp(scene.slant_from.x, scene.slant_to.x, static_cast<float>(i) / kPieces),
                  std::lerp(scene.slant_from.y, scene.slant_to.y, static_cast<float>(i) / kPieces)};
    const Point b{std::lerp(scene.slant_from.x, scene.slant_to.x, static_cast<float>(i + 1) / kPieces),
                  std::lerp(scene.slant_from.y, scene.slant_to.y, static_cast<float>(i + 1) / kPieces)};
    room.take({a.x, b.y, b.x + 0.5f, a.y + 0.5f});
  }
}

}  // namespace

RooflineScene layout_roofline(const experiment::Timings& timings, const Contest& contest, int focus,
                              const std::vector<CountedIntensity>& counted, bool compulsory_traffic,
                              Rect area, const SceneMetrics& m) {
  RooflineScene scene;
  scene.title = area.cut_top(m.small_height);
  scene.title_text = "Roofline: TFLOP/s";
  scene.x_text = "FLOP per byte of global memory";
  std::vector<Placed> placed = place_contenders(timings, contest, counted, compulsory_traffic);
  if (placed.empty()) {
    scene.empty_text =
        contest.by_rate ? "No samples yet." : "The number of operations is not known for these figures.";
    return scene;
  }
  std::vector<Grade> grades;
  for (const Contender& c : contest.contenders)
    if (std::find(grades.begin(), grades.end(), c.grade) == grades.end()) grades.push_back(c.grade);
  const float axis_width = small_text_width(m, "1,000") + 4 * m.scale;
  area.cut_top(std::round(m.small_height / 2));
  scene.x_title = area.cut_bottom(m.small_height);
  Rect plot = area;
  plot.cut_bottom(m.small_height);
  plot.cut_left(axis_width);
  plot.cut_right(std::round(4 * m.scale));
  if (plot.width() < 60 * m.scale || plot.height() < 2 * m.small_height) {
    scene.empty_text = "No room for the chart.";
    scene.x_title = {};
    return scene;
  }
  scene.empty = false;
  scene.plot = plot;
  scene.x_title.left = plot.left;
  const Axes axes = axes_of(timings, placed, grades, plot);
  add_axes(scene, axes, axis_width, m);
  std::stable_sort(placed.begin(), placed.end(), [&](const Placed& a, const Placed& b) {
    return rank(contest, a.contender, focus) < rank(contest, b.contender, focus);
  });
  LabelRoom room(plot, m.small_height);
  const float dot = 5 * m.scale;
  for (const Placed& p : placed) {
    RoofPoint point;
    point.contender = p.contender;
    point.at = {axes.x.at(p.intensity), axes.y.at(p.tflops)};
    point.counted = p.counted;
    point.modelled = contest.contenders[static_cast<size_t>(p.contender)].modelled;
    point.flop_per_byte = p.intensity;
    point.tflops = p.tflops;
    point.text = point_label(contest.contenders[static_cast<size_t>(p.contender)],
                             rank(contest, p.contender, focus) > 2);
    room.take({point.at.x - dot, point.at.y - dot, point.at.x + dot, point.at.y + dot});
    scene.points.push_back(std::move(point));
  }
  add_roofs(scene, timings, grades, axes, room, m);
  for (size_t i = scene.points.size(); i-- > 0;) {  // the most important points choose first
    RoofPoint& point = scene.points[i];
    point.label = room.beside(point.at, small_text_width(m, point.text), dot + 2 * m.scale);
  }
  return scene;
}

int point_at(const RooflineScene& scene, Point point, float reach) {
  int nearest = -1;
  float least = reach;
  for (const RoofPoint& p : scene.points) {
    if (p.label.contains(point)) return p.contender;
    const float distance = std::hypot(p.at.x - point.x, p.at.y - point.y);
    if (distance <= least) least = distance, nearest = p.contender;
  }
  return nearest;
}

}  // namespace gemmscope::scenes
