#include "scenes/strip_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "metrics/roofline.h"
#include "scenes/timing_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;

constexpr double kLinearUpTo = 12;  // the largest ratio of fastest to slowest on a linear axis

struct Span {
  double first = 0, last = 0, low = 0, high = 0;  // seconds; the unit of the values
};

double value_of(const experiment::Timings& timings, const Contest& contest, const Contender& c, double ms) {
  if (!contest.by_rate) return ms;
  return metrics::tflops(experiment::flops(timings, timings.variants[c.variant]), ms);
}

std::optional<Span> span_of(const experiment::Timings& timings, const Contest& contest, double seconds) {
  Span span{HUGE_VAL, -HUGE_VAL, HUGE_VAL, 0};
  for (const Contender& c : contest.contenders)
    for (const experiment::Sample& s : timings.variants[c.variant].samples) {
      span.first = std::min(span.first, s.at_seconds);
      span.last = std::max(span.last, s.at_seconds);
    }
  if (span.last < span.first) return std::nullopt;
  span.first = std::max(span.first, span.last - seconds);
  for (const Contender& c : contest.contenders)
    for (const experiment::Sample& s : timings.variants[c.variant].samples) {
      const double value = value_of(timings, contest, c, s.ms);
      if (s.at_seconds < span.first || value <= 0) continue;
      span.low = std::min(span.low, value);
      span.high = std::max(span.high, value);
    }
  if (span.high <= 0) return std::nullopt;
  return span;
}

bool has_time_series(const experiment::Timings& timings) {
  return std::any_of(timings.variants.begin(), timings.variants.end(),
                     [](const experiment::TimedVariant& v) { return v.samples.size() > 1; });
}

Axis value_axis(const Span& span, Rect plot) {
  if (span.high > kLinearUpTo * span.low)
    return {round_down(span.low), round_up(span.high), plot.bottom, plot.top, true};
  return {0, span.high * 1.06, plot.bottom, plot.top, false};
}

// Keeps the first, lowest, highest and last point of each pixel column; no others would be visible.
std::vector<Point> thinned(std::vector<Point> points) {
  std::vector<Point> kept;
  for (size_t i = 0; i < points.size();) {
    size_t end = i;
    float low = points[i].y, high = low;
    for (; end < points.size() && std::floor(points[end].x) == std::floor(points[i].x); ++end)
      low = std::min(low, points[end].y), high = std::max(high, points[end].y);
    kept.push_back({points[i].x, points[i].y});
    if (end - i > 1) {
      kept.push_back({points[i].x, low});
      kept.push_back({points[i].x, high});
      kept.push_back({points[i].x, points[end - 1].y});
    }
    i = end;
  }
  return kept;
}

// The longest interval in seconds between two samples that the line connects: several rounds, and at least a
// second.
double longest_interval(const std::vector<experiment::Sample>& samples) {
  if (samples.size() < 3) return HUGE_VAL;
  std::vector<double> intervals;
  for (size_t i = 1; i < samples.size(); ++i)
    intervals.push_back(samples[i].at_seconds - samples[i - 1].at_seconds);
  const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
  std::nth_element(intervals.begin(), middle, intervals.end());
  return std::max(1.0, 5 * *middle);
}

// `place` returns a sample's point, or nothing if it is not shown.
template <typename Place>
void add_samples(StripLine& line, const std::vector<experiment::Sample>& samples, const Place& place) {
  const double longest = longest_interval(samples);
  std::vector<Point> piece;
  const auto end_piece = [&] {
    if (piece.empty()) return;
    line.starts.push_back(line.points.size());
    const std::vector<Point> kept = thinned(std::exchange(piece, {}));
    line.points.insert(line.points.end(), kept.begin(), kept.end());
  };
  double before = -HUGE_VAL;
  for (const experiment::Sample& sample : samples) {
    if (sample.at_seconds - before > longest) end_piece();
    before = sample.at_seconds;
    if (const std::optional<Point> point = place(sample)) piece.push_back(*point);
  }
  end_piece();
}

// In a live measurement times count back from now, in a recording from its beginning.
void add_axes(StripScene& scene, const Axis& values, const Axis& times, bool live, const SceneMetrics& m,
              float label_width) {
  add_value_axis(scene, values, label_width, m);
  const float width = small_text_width(m, "\u22121000 s");
  scene.time_ticks = make_ticks(times, width * 1.2f);
  for (Tick& tick : scene.time_ticks)
    tick.text = !live                ? figure_text(tick.value) + " s"
                : tick.value > -1e-9 ? "now"
                                     : fmt::format("\u2212{} s", figure_text(-tick.value));
  scene.time_labels = labels_below(
      scene.time_ticks, width,
      {scene.plot.left, scene.plot.bottom, scene.plot.right, scene.plot.bottom + m.small_height});
}

void add_labels(StripScene& scene, const Contest& contest, int focus, Rect column, const SceneMetrics& m) {
  std::vector<WantedLabel> wanted;
  for (const StripLine& line : scene.lines)
    wanted.push_back({line.end.y, importance(contest, line.contender, focus)});
  for (const PlacedLabel& label : place_labels(wanted, m.small_height, column.top, column.bottom))
    scene.lines[label.index].label = Rect::at({column.left, label.top}, {column.width(), m.small_height});
}

}  // namespace

StripScene layout_strip(const experiment::Timings& timings, const Contest& contest, int focus, double seconds,
                        Rect area, const SceneMetrics& m) {
  StripScene scene;
  scene.title = area.cut_top(m.small_height);
  const bool recorded = contest.provenance == experiment::Provenance::recorded;
  const std::optional<Span> span = span_of(timings, contest, seconds);
  scene.title_text = contest.by_rate ? "TFLOP/s over time" : "ms over time";
  if (!span) {
    scene.empty_text = recorded ? "The recording has no samples." : "No samples yet.";
    return scene;
  }
  if (!has_time_series(timings)) {
    scene.empty_text = "Each variant has one published figure, so there is no curve over time.";
    return scene;
  }
  float label_width = 0;
  for (const Contender& c : contest.contenders)
    label_width = std::max(label_width, small_text_width(m, short_label(c)));
  label_width = std::min(label_width, area.width() * 0.34f);
  const float axis_width = small_text_width(m, "1,000") + 4 * m.scale;
  area.cut_top(std::round(m.small_height / 2));
  Rect plot = area;
  plot.cut_bottom(m.small_height);
  plot.cut_left(axis_width);
  Rect labels = plot.cut_right(label_width);
  plot.cut_right(std::round(10 * m.scale));
  if (plot.width() < 20 * m.scale || plot.height() < 2 * m.small_height) {
    scene.empty_text = "No room for the chart.";
    return scene;
  }
  scene.empty = false;
  scene.plot = plot;
  const Axis values = value_axis(*span, plot);
  if (values.logarithmic) scene.title_text += ", logarithmic";
  const double range = std::max(span->last - span->first, 1e-3);
  const bool live = contest.provenance == experiment::Provenance::measured;
  const double zero = live ? span->last : span->first;
  const Axis times{live ? -range : 0, live ? 0 : range, plot.left, plot.right};
  add_axes(scene, values, times, live, m, axis_width);
  for (size_t i = 0; i < contest.contenders.size(); ++i) {
    const Contender& c = contest.contenders[i];
    StripLine line;
    line.contender = static_cast<int>(i);
    line.text = short_label(c);
    add_samples(line, timings.variants[c.variant].samples, [&](const experiment::Sample& sample) {
      const double value = value_of(timings, contest, c, sample.ms);
      const bool shown = sample.at_seconds >= span->first && value > 0;
      return shown ? std::optional(Point{times.at(sample.at_seconds - zero), values.at(value)})
                   : std::nullopt;
    });
    if (line.points.empty()) continue;
    line.end = line.points.back();
    scene.lines.push_back(std::move(line));
  }
  std::stable_sort(scene.lines.begin(), scene.lines.end(), [&](const StripLine& a, const StripLine& b) {
    return importance(contest, a.contender, focus) < importance(contest, b.contender, focus);
  });
  add_labels(scene, contest, focus, {labels.left, plot.top, labels.right, area.bottom}, m);
  return scene;
}

int line_at(const StripScene& scene, Point point, float reach) {
  int nearest = -1;
  float least = reach;
  for (const StripLine& line : scene.lines) {
    if (line.label.contains(point)) return line.contender;
    for (const Point& p : line.points) {
      const float distance = std::hypot(p.x - point.x, p.y - point.y);
      if (distance <= least) least = distance, nearest = line.contender;
    }
  }
  return nearest;
}

}  // namespace gemmscope::scenes
