#include "scenes/roofline_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/roofline.h"
#include "scenes/roofline_points.h"
#include "scenes/timing_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using experiment::Grade;
using experiment::MemoryLevel;

constexpr MemoryLevel kLevels[] = {MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::dram};

struct Axes {
  Axis x, y;
};

struct Roofs {
  std::vector<Grade> grades;
  double highest = 0;  // FLOP/s
};

Roofs roofs_of(const experiment::Timings& timings, const Contest& contest) {
  Roofs roofs;
  for (const Contender& c : contest.contenders) {
    if (std::ranges::find(roofs.grades, c.grade) != roofs.grades.end()) continue;
    roofs.grades.push_back(c.grade);
    roofs.highest = std::max(roofs.highest, experiment::peak_flops(timings.device, c.grade));
  }
  return roofs;
}

// All ridges of the axis' memory, all points and the compulsory intensities are on the axes.
Axes axes_of(const experiment::Timings& timings, const Contest& contest, const RooflineInput& input,
             const RooflinePoints& points, const Roofs& roofs, Rect plot) {
  double least_x = HUGE_VAL, most_x = 0, least_y = HUGE_VAL, most_y = 0;
  const auto widen = [](double value, double& least, double& most) {
    if (value > 0) least = std::min(least, value), most = std::max(most, value);
  };
  for (const RooflinePoints::Point& p : points.points) widen(p.intensity, least_x, most_x);
  for (const double once : points.compulsory) widen(once, least_x, most_x);
  for (const Contender& c : contest.contenders) widen(c.tflops, least_y, most_y);
  const double bytes = input.rates.of(input.level).bytes_per_second;
  for (const Grade grade : roofs.grades) {
    const double peak = experiment::peak_flops(timings.device, grade);
    widen(peak * 1e-12, least_y, most_y);
    if (bytes <= 0 || peak <= 0) continue;
    widen(2 * peak / bytes, least_x, most_x);
    widen(0.25 * peak / bytes, least_x, most_x);
  }
  return {{round_down(least_x / 1.2), round_up(most_x * 1.2), plot.left, plot.right, true},
          {round_down(least_y / 1.2), round_up(most_y * 1.1), plot.bottom, plot.top, true}};
}

void add_axes(RooflineScene& scene, const Axes& axes, float axis_width, const SceneMetrics& m) {
  scene.y_ticks = make_ticks(axes.y, m.small_height * 1.3f);
  for (const Tick& tick : scene.y_ticks)
    scene.y_labels.push_back(Rect::at(
        {scene.plot.left - axis_width, std::clamp(tick.position - m.small_height / 2, scene.note.bottom,
                                                  scene.plot.bottom - m.small_height / 2)},
        {axis_width - 4 * m.scale, m.small_height}));
  const float width = small_text_width(m, "10,000");
  scene.x_ticks = make_ticks(axes.x, width * 1.1f);
  scene.x_labels = labels_below(
      scene.x_ticks, width,
      {scene.plot.left, scene.plot.bottom, scene.plot.right, scene.plot.bottom + m.small_height});
}

// The level roofs start at the slanted roof that bounds the points.
void add_level_roofs(RooflineScene& scene, const experiment::Timings& timings, const RooflineInput& input,
                     const Roofs& roofs, const Axes& axes, LabelRoom& room) {
  const double bytes = input.rates.of(input.level).bytes_per_second;
  for (const Grade grade : roofs.grades) {
    const double peak = experiment::peak_flops(timings.device, grade);
    if (peak <= 0) continue;
    Roofing roofing;
    roofing.grade = grade;
    roofing.ridge = {bytes > 0 ? axes.x.at(peak / bytes) : scene.plot.left, axes.y.at(peak * 1e-12)};
    roofing.level_end = {scene.plot.right, roofing.ridge.y};
    roofing.text = fmt::format("{} peak {}", experiment::grade_name(grade), figure_text(peak * 1e-12));
    room.take_line(roofing.ridge, roofing.level_end);
    scene.roofs.push_back(std::move(roofing));
  }
}

// A slanted roof is drawn from where it enters the plot, from the left or from below, to the highest roof.
void add_slanted_roofs(RooflineScene& scene, const RooflineInput& input, const Roofs& roofs, const Axes& axes,
                       LabelRoom& room) {
  for (const MemoryLevel level : kLevels) {
    const experiment::MemoryRate& rate = input.rates.of(level);
    const double bytes = rate.bytes_per_second;
    const double top = roofs.highest > 0 ? roofs.highest : axes.y.high * 1e12;
    if (bytes <= 0) continue;
    const double enters = std::max(axes.x.low, axes.y.low * 1e12 / bytes);
    const double leaves = std::min(axes.x.high, top / bytes);
    if (enters >= leaves) continue;  // outside the plot
    SlantedRoof roof;
    roof.level = level;
    roof.bounds = level == input.level;
    roof.from = {axes.x.at(enters), axes.y.at(enters * bytes * 1e-12)};
    roof.to = {axes.x.at(leaves), axes.y.at(leaves * bytes * 1e-12)};
    roof.text = fmt::format("{} {} TB/s", memory_name(level), figure_text(bytes * 1e-12));
    if (rate.provenance == experiment::Provenance::modelled) roof.text += " modelled";
    if (rate.provenance == experiment::Provenance::recorded && level != MemoryLevel::dram)
      roof.text += " recorded";
    if (roof.bounds) room.take_line(roof.from, roof.to);  // labels may lie on the faint ones
    scene.slants.push_back(std::move(roof));
  }
  std::ranges::stable_sort(scene.slants, {}, &SlantedRoof::bounds);  // drawn on top
}

void add_points(RooflineScene& scene, const Contest& contest, int focus, const RooflinePoints& points,
                const Axes& axes, LabelRoom& room, float dot) {
  std::vector<RooflinePoints::Point> sorted = points.points;
  std::ranges::stable_sort(
      sorted, {}, [&](const RooflinePoints::Point& p) { return importance(contest, p.contender, focus); });
  for (const RooflinePoints::Point& p : sorted) {
    const Contender& c = contest.contenders[static_cast<size_t>(p.contender)];
    RoofPoint point;
    point.contender = p.contender;
    point.at = {axes.x.at(p.intensity), axes.y.at(p.tflops)};
    point.least_bytes = p.least_bytes;
    point.modelled = c.modelled;
    point.above = p.above;
    point.flop_per_byte = p.intensity;
    point.tflops = p.tflops;
    point.text = importance(contest, p.contender, focus) > 2 ? c.label : short_label(c);
    if (c.modelled && !point.text.ends_with("(modelled)")) point.text += " modelled";
    room.take_mark({point.at.x - dot, point.at.y - dot, point.at.x + dot, point.at.y + dot});
    scene.points.push_back(std::move(point));
  }
}

void add_rates(RooflineScene& scene, const Contest& contest, const RooflinePoints& points, const Axes& axes,
               LabelRoom& room) {
  for (const int index : points.rates) {
    const Contender& c = contest.contenders[static_cast<size_t>(index)];
    RoofRate rate{index, std::round(axes.y.at(c.tflops)), {}, c.label + ": bytes not known"};
    room.take_line({scene.plot.left, rate.y}, {scene.plot.right, rate.y});
    scene.rates.push_back(std::move(rate));
  }
}

void add_intensities(RooflineScene& scene, const RooflinePoints& points, const Axes& axes) {
  for (const double once : points.compulsory) {
    const float x = std::round(axes.x.at(once));
    const bool first = scene.intensities.empty();
    scene.intensities.push_back(
        {x, {}, first ? fmt::format("A, B, C once: {}", figure_text(once)) : figure_text(once)});
  }
}

// Over a level line, else under it, from its right end to its left.
std::vector<Rect> along_level_line(float left, float right, float y, float width, const SceneMetrics& m) {
  std::vector<Rect> places;
  constexpr int kPlaces = 12;
  for (const float top : {std::floor(y - m.small_height - 2), y + 2})
    for (int i = 0; i <= kPlaces; ++i) {
      const float x = std::lerp(right - width, left, static_cast<float>(i) / kPlaces);
      places.push_back(Rect::at({std::round(x), std::round(top)}, {width, m.small_height}));
    }
  return places;
}

std::vector<Rect> along_slant(const SlantedRoof& roof, float width, const SceneMetrics& m) {
  std::vector<Rect> places;
  const float gap = 6 * m.scale;
  for (const float share : {0.3f, 0.4f, 0.5f, 0.2f, 0.6f, 0.7f, 0.1f, 0.8f, 0.05f, 0.9f, 0.95f}) {
    const Point at{std::lerp(roof.from.x, roof.to.x, share), std::lerp(roof.from.y, roof.to.y, share)};
    places.push_back(Rect::at({std::round(at.x - width - gap), std::round(at.y - m.small_height)},
                              {width, m.small_height}));
    places.push_back(Rect::at({std::round(at.x + gap), std::round(at.y + 2)}, {width, m.small_height}));
  }
  return places;
}

// Points that stand on one vertical have their labels in a column beside it, in the order of the points: to
// the left of the first vertical, to the right of others.
void place_columns(RooflineScene& scene, const Contest& contest, LabelRoom& room, const SceneMetrics& m) {
  if (scene.points.empty() || !scene.points.front().least_bytes) return;
  float first = HUGE_VALF;
  for (const RoofPoint& p : scene.points) first = std::min(first, p.at.x);
  for (const bool left : {true, false}) {
    std::vector<RoofPoint*> column;
    std::vector<WantedLabel> wanted;
    for (RoofPoint& p : scene.points)
      if ((p.at.x < first + 1) == left) {
        wanted.push_back({p.at.y, static_cast<int>(column.size())});  // the focus, the last, comes first
        column.push_back(&p);
      }
    for (const PlacedLabel& placed :
         place_labels(wanted, m.small_height, scene.plot.top, scene.plot.bottom)) {
      RoofPoint& p = *column[placed.index];
      for (const std::string& text :
           {p.text, short_label(contest.contenders[static_cast<size_t>(p.contender)])}) {
        const float width = small_text_width(m, text), away = 22 * m.scale;
        const Rect rect = Rect::at({std::round(left ? p.at.x - away - width : p.at.x + away), placed.top},
                                   {width, m.small_height});
        if (!room.is_free_but_for_lines(rect)) continue;
        p.text = text;
        const float side = left ? -1.0f : 1.0f;
        p.label = {
            rect, {p.at.x + side * 5 * m.scale, p.at.y}, {left ? rect.right : rect.left, rect.center().y}};
        room.take(rect);
        break;
      }
    }
  }
}

// The roof that bounds the points and the points choose first.
void place_labels_of(RooflineScene& scene, const Contest& contest, LabelRoom& room, float dot,
                     const SceneMetrics& m) {
  const Rect plot = scene.plot;
  const auto place_slants = [&](bool bounds) {
    for (SlantedRoof& roof : scene.slants)
      if (roof.bounds == bounds)
        roof.label = room.first_free(along_slant(roof, small_text_width(m, roof.text), m));
  };
  place_slants(true);
  for (Roofing& roof : scene.roofs)
    roof.label = room.first_free(along_level_line(roof.ridge.x + 6 * m.scale, plot.right, roof.ridge.y,
                                                  small_text_width(m, roof.text), m));
  // Labels that come now keep clear of these lines.
  for (const RoofIntensity& line : scene.intensities)
    room.take_line({line.x, plot.top}, {line.x, plot.bottom});
  place_columns(scene, contest, room, m);
  for (size_t i = scene.points.size(); i-- > 0;) {
    RoofPoint& point = scene.points[i];
    if (!point.label.rect.empty()) continue;
    point.label = room.beside(point.at, small_text_width(m, point.text), dot + 2 * m.scale);
    const std::string& brief = short_label(contest.contenders[static_cast<size_t>(point.contender)]);
    if (!point.label.rect.empty() || point.text == brief || point.modelled) continue;
    point.text = brief;
    point.label = room.beside(point.at, small_text_width(m, point.text), dot + 2 * m.scale);
  }
  for (RoofRate& rate : scene.rates)
    rate.label =
        room.first_free(along_level_line(plot.left, plot.right, rate.y, small_text_width(m, rate.text), m));
  for (RoofIntensity& line : scene.intensities) {
    const float width = small_text_width(m, line.text), gap = 4 * m.scale;
    std::vector<Rect> places;
    for (const float top : {plot.bottom - m.small_height - 2, plot.bottom - 2.4f * m.small_height,
                            plot.bottom - 3.8f * m.small_height})
      for (const float left : {line.x - width - gap, line.x + gap})
        places.push_back(Rect::at({std::round(left), std::round(top)}, {width, m.small_height}));
    line.label = room.first_free(places);
  }
  place_slants(false);
}

// The title, and the switch at the other end of its row, which has the row to itself where it is narrow.
void place_head(RooflineScene& scene, const RooflineInput& input, Rect& area, const SceneMetrics& m) {
  Rect row = area.cut_top(m.small_height + std::round(4 * m.scale));
  float width = 0;
  for (const MemoryLevel level : kLevels)
    width += small_text_width(m, memory_name(level)) + std::round(14 * m.scale);
  if (width <= row.width()) {
    Rect right = row.cut_right(width);
    for (const MemoryLevel level : kLevels)
      scene.switches[static_cast<size_t>(level)] =
          right.cut_left(small_text_width(m, memory_name(level)) + std::round(14 * m.scale));
  }
  scene.title_text = "Roofline: TFLOP/s";
  if (row.width() >= small_text_width(m, scene.title_text)) scene.title = row;
  scene.note = area.cut_top(m.small_height);
  scene.x_text =
      fmt::format("FLOP per byte of {}",
                  input.level == MemoryLevel::l1 ? "L1 and shared memory" : memory_name(input.level));
}

void write_note(RooflineScene& scene, const RooflineNote& note, const SceneMetrics& m) {
  scene.working = note.working;
  scene.trouble = note.trouble;
  for (const std::string& text : note.texts) {
    scene.note_text = text;
    if (small_text_width(m, text) <= scene.note.width()) return;
  }
}

}  // namespace

RooflineScene layout_roofline(const experiment::Timings& timings, const Contest& contest, int focus,
                              const RooflineInput& input, Rect area, const SceneMetrics& m) {
  RooflineScene scene;
  place_head(scene, input, area, m);
  const RooflinePoints points = roofline_points(timings, contest, input);
  if (points.compulsory.empty()) {
    scene.empty_text =
        contest.by_rate ? "No samples yet." : "The number of operations is not known for these figures.";
    return scene;
  }
  const float axis_width = small_text_width(m, "1,000") + 4 * m.scale;
  area.cut_top(std::round(m.small_height / 4));
  scene.x_title = area.cut_bottom(m.small_height);
  Rect plot = area;
  plot.cut_bottom(m.small_height);
  plot.cut_left(axis_width);
  plot.cut_right(std::round(4 * m.scale));
  if (plot.width() < 60 * m.scale || plot.height() < 2 * m.small_height) {
    scene.empty_text = "No room for the chart.";
    scene.x_title = scene.note = {};
    return scene;
  }
  scene.empty = false;
  scene.plot = plot;
  scene.x_title.left = plot.left;
  write_note(scene, roofline_note(timings, contest, input, points), m);
  const Roofs roofs = roofs_of(timings, contest);
  const Axes axes = axes_of(timings, contest, input, points, roofs, plot);
  add_axes(scene, axes, axis_width, m);
  LabelRoom room(plot, m.small_height);
  const float dot = 5 * m.scale;
  add_level_roofs(scene, timings, input, roofs, axes, room);
  add_slanted_roofs(scene, input, roofs, axes, room);
  add_rates(scene, contest, points, axes, room);
  add_intensities(scene, points, axes);
  add_points(scene, contest, focus, points, axes, room, dot);
  place_labels_of(scene, contest, room, dot, m);
  return scene;
}

int point_at(const RooflineScene& scene, Point point, float reach) {
  int nearest = -1;
  float least = reach;
  for (const RoofRate& rate : scene.rates)
    if (rate.label.contains(point)) return rate.contender;
  for (const RoofPoint& p : scene.points) {
    if (p.label.rect.contains(point)) return p.contender;
    const float distance = std::hypot(p.at.x - point.x, p.at.y - point.y);
    if (distance <= least) least = distance, nearest = p.contender;
  }
  return nearest;
}

}  // namespace gemmscope::scenes
