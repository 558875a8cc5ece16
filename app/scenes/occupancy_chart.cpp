#include "scenes/occupancy_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "machine/state/row_file.h"
#include "scenes/occupancy_text.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using metrics::OccupancyAxis;
using metrics::OccupancyStep;

constexpr int kQuarters = 4;
constexpr int kSharedStep = 128;  // bytes that the mouse moves by

const char* axis_title(OccupancyAxis axis) {
  switch (axis) {
    case OccupancyAxis::registers:
      return "Registers per thread";
    case OccupancyAxis::shared:
      return "Shared KB per block";
    case OccupancyAxis::threads:
      return "Threads per block";
  }
  return "";
}

std::string value_text(OccupancyAxis axis, int value) {
  if (axis != OccupancyAxis::shared) return grouped(static_cast<uint64_t>(value));
  const double kilobytes = value / 1024.0;
  return value % 1024 == 0 ? fmt::format("{}", value / 1024) : fmt::format("{:.1f}", kilobytes);
}

class ChartLayout {
 public:
  ChartLayout(const metrics::SmLimits& sm, const metrics::OccupancyPoint& point, const SceneMetrics& metrics,
              CliffChart& chart)
      : sm_(sm), point_(point), metrics_(metrics), chart_(chart) {}

  void run(const std::optional<metrics::OccupancyPoint>& before) {
    place_parts();
    const std::vector<OccupancyStep> exact = metrics::occupancy_curve(sm_, point_.needs, chart_.axis);
    const auto textbook = metrics::occupancy_curve(sm_, point_.needs, chart_.axis, metrics::simple_occupancy);
    chart_.x = {metrics::least_on_axis(chart_.axis) - 0.5, exact.back().last + 0.5, chart_.plot.left,
                chart_.plot.right};
    chart_.y = {0, static_cast<double>(sm_.warps), chart_.plot.bottom, chart_.plot.top};
    chart_.exact = line_of(exact);
    chart_.textbook = line_of(textbook);
    for (const OccupancyStep& step : exact)
      chart_.fills.push_back({left_of(step), height_of(step), right_of(step), chart_.plot.bottom});
    place_ticks(exact);
    if (chart_.axis != OccupancyAxis::threads) place_plateaus(exact);
    place_points(before);
  }

 private:
  float left_of(const OccupancyStep& step) const { return chart_.x.at(step.first - 0.5); }
  float right_of(const OccupancyStep& step) const { return chart_.x.at(step.last + 0.5); }
  float height_of(const OccupancyStep& step) const { return chart_.y.at(step.warps); }

  void place_parts() {
    Rect area = chart_.area;
    chart_.title = area.cut_top(std::min(metrics_.line_height, area.height() * 0.2f));
    chart_.now_rect = chart_.title.cut_right(chart_.title.width() * 0.4f);
    area.cut_top(std::min(std::round(0.6f * metrics_.small_height), area.height() * 0.1f));
    area.cut_bottom(std::min(std::round(metrics_.small_height * 1.2f), area.height() * 0.3f));
    area.cut_left(std::min(std::round(2.8f * metrics_.digit_width), area.width() * 0.2f));
    area.cut_right(std::min(std::round(6 * metrics_.scale), area.width() * 0.1f));
    chart_.plot = area;
  }

  std::vector<Point> line_of(const std::vector<OccupancyStep>& steps) const {
    std::vector<Point> line;
    for (const OccupancyStep& step : steps) {
      line.push_back({left_of(step), height_of(step)});
      line.push_back({right_of(step), height_of(step)});
    }
    return line;
  }

  void place_ticks(const std::vector<OccupancyStep>& steps) {
    for (int quarter = 0; quarter <= kQuarters; ++quarter) {
      const int warps = sm_.warps * quarter / kQuarters;
      const float at = chart_.y.at(warps), half = metrics_.small_height / 2;
      chart_.y_ticks.push_back({static_cast<double>(warps), at, std::to_string(warps)});
      Rect label{chart_.area.left, at - half, chart_.plot.left - std::round(4 * metrics_.scale), at + half};
      label = label.moved(0, std::max(0.0f, chart_.title.bottom - label.top));
      // In a low chart a quarter gives way to the one above.
      if (quarter > 1 && label.bottom > chart_.y_labels.back().top) chart_.y_labels.back() = {};
      chart_.y_labels.push_back(label);
    }
    if (chart_.axis == OccupancyAxis::threads) {
      const int most = metrics::most_on_axis(sm_, chart_.axis);
      for (int quarter = 1; quarter <= kQuarters; ++quarter) {
        const int threads = most * quarter / kQuarters;
        chart_.x_ticks.push_back(
            {static_cast<double>(threads), chart_.x.at(threads), std::to_string(threads)});
      }
    } else {
      for (size_t i = 0; i + 1 < steps.size(); ++i)
        chart_.x_ticks.push_back(
            {static_cast<double>(steps[i].last), right_of(steps[i]), value_text(chart_.axis, steps[i].last)});
    }
    label_x_ticks();
  }

  // Where labels would overlap, the one nearer to the current point stays.
  void label_x_ticks() {
    const Rect row{chart_.area.left, chart_.plot.bottom + std::round(2 * metrics_.scale), chart_.area.right,
                   chart_.area.bottom};
    const float now = chart_.x.at(metrics::value_on_axis(point_.needs, chart_.axis));
    std::vector<size_t> order(chart_.x_ticks.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto distance = [&](size_t i) { return std::abs(chart_.x_ticks[i].position - now); };
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return distance(a) < distance(b); });
    chart_.x_labels.assign(chart_.x_ticks.size(), Rect{});
    for (const size_t i : order) {
      const float half = (static_cast<float>(chart_.x_ticks[i].text.size()) + 1) * metrics_.digit_width / 2;
      const float at = std::clamp(chart_.x_ticks[i].position, row.left + half,
                                  std::max(row.left + half, row.right - half));
      const Rect label = Rect{at - half, row.top, at + half, row.bottom}.intersected(row);
      const bool free = std::all_of(chart_.x_labels.begin(), chart_.x_labels.end(), [&](const Rect& other) {
        return other.empty() || other.intersected(label).empty();
      });
      if (free) chart_.x_labels[i] = label;
    }
  }

  // The larger part of a plateau that the current point's line leaves free.
  Rect beside_point(Rect room) const {
    const float now = chart_.x.at(metrics::value_on_axis(point_.needs, chart_.axis));
    const float margin = std::round(7 * metrics_.scale);
    if (now + margin <= room.left || now - margin >= room.right) return room;
    if (now - room.left > room.right - now)
      room.right = now - margin;
    else
      room.left = now + margin;
    return room;
  }

  // Below the line, where the curve's fill is behind the text.
  void place_plateaus(const std::vector<OccupancyStep>& steps) {
    bool first = true;
    for (const OccupancyStep& step : steps) {
      const float top = height_of(step) + std::round(2 * metrics_.scale);
      const Rect room = beside_point({left_of(step), top, right_of(step), top + metrics_.small_height});
      const std::string count = std::to_string(step.blocks);
      const std::string with_noun = count + (step.blocks == 1 ? " block" : " blocks");
      const auto fits = [&](const std::string& text) {
        return room.width() >= (static_cast<float>(text.size()) + 1) * metrics_.digit_width;
      };
      if (step.blocks == 0 || room.bottom > chart_.plot.bottom || !fits(count)) continue;
      const bool noun = first && fits(with_noun);
      first = first && !noun;
      chart_.plateaus.push_back({room, noun ? with_noun : count});
    }
  }

  Point place_of(const metrics::OccupancyPoint& point) const {
    return {chart_.x.at(metrics::value_on_axis(point.needs, chart_.axis)),
            chart_.y.at(metrics::occupancy(sm_, point.needs).warps)};
  }

  void place_points(const std::optional<metrics::OccupancyPoint>& before) {
    const metrics::Occupancy o = metrics::occupancy(sm_, point_.needs);
    chart_.now = place_of(point_);
    chart_.now_text = fmt::format(
        "{}{}: {} block{}", value_text(chart_.axis, metrics::value_on_axis(point_.needs, chart_.axis)),
        chart_.axis == OccupancyAxis::shared ? " KB" : "", o.blocks, o.blocks == 1 ? "" : "s");
    if (!before || before->compute_capability != point_.compute_capability) return;
    if (metrics::value_on_axis(before->needs, chart_.axis) !=
        metrics::value_on_axis(point_.needs, chart_.axis))
      chart_.before = place_of(*before);
  }

  const metrics::SmLimits& sm_;
  const metrics::OccupancyPoint& point_;
  const SceneMetrics& metrics_;
  CliffChart& chart_;
};

}  // namespace

CliffChart layout_cliff_chart(OccupancyAxis axis, const metrics::OccupancyPoint& point,
                              const std::optional<metrics::OccupancyPoint>& before, Rect area,
                              const SceneMetrics& metrics) {
  CliffChart chart;
  chart.axis = axis;
  chart.area = area;
  chart.title_text = axis_title(axis);
  const metrics::SmLimits* sm = metrics::sm_limits(point.compute_capability);
  if (sm != nullptr && !area.empty()) ChartLayout(*sm, point, metrics, chart).run(before);
  return chart;
}

metrics::OccupancyPoint point_in_chart(const CliffChart& chart, const metrics::OccupancyPoint& point,
                                       float x) {
  const metrics::SmLimits* sm = metrics::sm_limits(point.compute_capability);
  const Rect& plot = chart.plot;
  if (sm == nullptr || plot.empty()) return point;
  const double t = std::clamp((x - plot.left) / plot.width(), 0.0f, 1.0f);
  auto value = static_cast<int>(std::lround(chart.x.low + t * (chart.x.high - chart.x.low)));
  if (chart.axis == OccupancyAxis::threads) {
    const int warps = (value + machine::kWarpLanes - 1) / machine::kWarpLanes;
    value = std::max(1, warps) * machine::kWarpLanes;
  }
  if (chart.axis == OccupancyAxis::shared) value = value / kSharedStep * kSharedStep;
  value = std::clamp(value, metrics::least_on_axis(chart.axis), metrics::most_on_axis(*sm, chart.axis));
  return {point.compute_capability, metrics::with_value(point.needs, chart.axis, value)};
}

std::string describe_in_chart(const metrics::OccupancyPoint& point, OccupancyAxis axis) {
  const metrics::SmLimits* sm = metrics::sm_limits(point.compute_capability);
  if (sm == nullptr) return "";
  const metrics::Occupancy o = metrics::occupancy(*sm, point.needs);
  const int value = metrics::value_on_axis(point.needs, axis);
  const char* const noun = axis == OccupancyAxis::registers ? "registers"
                           : axis == OccupancyAxis::shared  ? "bytes of shared memory"
                                                            : "threads";
  const std::string asked = fmt::format("{} {}", grouped(static_cast<uint64_t>(value)), noun);
  if (o.blocks == 0) return asked + ": no block fits";
  return fmt::format("{}: {} block{}, {} of {} warps ({:.0f} %), limited by {}", asked, o.blocks,
                     o.blocks == 1 ? "" : "s", o.warps, sm->warps, 100.0 * o.warps / sm->warps,
                     limiter_names(o));
}

}  // namespace gemmscope::scenes
