#include "scenes/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

double power_of_ten(double value) { return std::pow(10.0, std::floor(std::log10(value) + 1e-9)); }

Tick tick_at(const Axis& axis, double value) { return {value, axis.at(value), figure_text(value)}; }

std::vector<Tick> linear_ticks(const Axis& axis, float apart) {
  const double range = axis.high - axis.low;
  const double room = std::abs(static_cast<double>(axis.to) - axis.from);
  if (!(range > 0) || room < 1) return {};
  const double step = round_up(range * static_cast<double>(apart) / room);
  std::vector<Tick> ticks;
  for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high + step * 1e-9; ++i)
    ticks.push_back(tick_at(axis, i * step));
  return ticks;
}

std::vector<Tick> decade_ticks(const Axis& axis, std::span<const double> factors) {
  std::vector<Tick> ticks;
  double power = power_of_ten(axis.low);
  while (power <= axis.high * (1 + 1e-9)) {
    for (const double factor : factors)
      if (const double value = factor * power;
          value >= axis.low * (1 - 1e-9) && value <= axis.high * (1 + 1e-9))
        ticks.push_back(tick_at(axis, value));
    power *= 10;
  }
  return ticks;
}

bool are_apart(std::span<const Tick> ticks, float apart) {
  for (size_t i = 1; i < ticks.size(); ++i)
    if (std::abs(ticks[i].position - ticks[i - 1].position) < apart) return false;
  return true;
}

std::vector<Tick> logarithmic_ticks(const Axis& axis, float apart) {
  constexpr double kAll[] = {1, 2, 5};
  std::vector<Tick> ticks = decade_ticks(axis, kAll);
  if (are_apart(ticks, apart)) return ticks;
  ticks = decade_ticks(axis, std::span(kAll, 1));
  // Keep every second, fourth, … power of ten where even those are too many.
  while (ticks.size() > 1 && !are_apart(ticks, apart)) {
    std::vector<Tick> fewer;
    for (size_t i = 0; i < ticks.size(); i += 2) fewer.push_back(ticks[i]);
    ticks = std::move(fewer);
  }
  return ticks;
}

// Neighbouring labels that would overlap move together, to the mean of their wanted positions.
struct Cluster {
  float wanted_sum = 0;  // sum over the labels of the top that each wants the first label to have
  size_t first = 0, count = 0;
  float top = 0;
};

}  // namespace

float Axis::at(double value) const {
  const auto scaled = [this](double v) { return logarithmic ? std::log(v) : v; };
  if (!std::isfinite(value) || (logarithmic && !(value > 0)) || !(high > low)) return from;
  const double t = (scaled(value) - scaled(low)) / (scaled(high) - scaled(low));
  return from + static_cast<float>(std::clamp(t, 0.0, 1.0)) * (to - from);
}

double round_up(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = power_of_ten(value);
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

double round_down(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = power_of_ten(value);
  for (const double factor : {5.0, 2.0})
    if (factor * power <= value * (1 + 1e-9)) return factor * power;
  return power;
}

std::string figure_text(double value) {
  if (!std::isfinite(value)) return "?";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 999.5) return grouped(static_cast<uint64_t>(std::llround(size)));
  if (size < 1e-3) return fmt::format("{:.0e}", value);
  const int decimals = size < 0.0995 ? 4 : size < 0.995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::vector<Tick> make_ticks(const Axis& axis, float apart) {
  return axis.logarithmic ? logarithmic_ticks(axis, apart) : linear_ticks(axis, apart);
}

void add_value_axis(ChartFrame& frame, const Axis& axis, float width, const SceneMetrics& m) {
  frame.value_ticks = make_ticks(axis, m.small_height * 1.4f);
  for (const Tick& tick : frame.value_ticks) {
    const float top = std::clamp(tick.position - m.small_height / 2, frame.title.bottom,
                                 frame.plot.bottom - m.small_height / 2);
    frame.value_labels.push_back(
        drawing::Rect::at({frame.plot.left - width, top}, {width - 4 * m.scale, m.small_height}));
  }
}

std::vector<drawing::Rect> labels_below(std::span<const Tick> ticks, float width, drawing::Rect row) {
  std::vector<drawing::Rect> labels(ticks.size());
  if (row.width() < width) return labels;
  float next = row.right;
  for (size_t i = ticks.size(); i-- > 0;) {
    const float left = std::clamp(ticks[i].position - width / 2, row.left, row.right - width);
    if (left + width > next) continue;
    labels[i] = {left, row.top, left + width, row.bottom};
    next = left;
  }
  return labels;
}

std::vector<PlacedLabel> place_labels(std::span<const WantedLabel> wanted, float height, float top,
                                      float bottom) {
  const auto room = static_cast<size_t>(std::max(0.0f, std::floor((bottom - top) / height)));
  std::vector<size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return wanted[a].priority > wanted[b].priority; });
  if (order.size() > room) order.resize(room);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return wanted[a].center < wanted[b].center; });
  std::vector<Cluster> clusters;
  const auto settle = [&](Cluster& c) {
    const float mean = c.wanted_sum / static_cast<float>(c.count);
    c.top = std::clamp(mean, top, std::max(top, bottom - height * static_cast<float>(c.count)));
  };
  for (size_t i = 0; i < order.size(); ++i) {
    clusters.push_back({wanted[order[i]].center - height / 2, i, 1, 0});
    settle(clusters.back());
    while (clusters.size() > 1) {
      Cluster& before = clusters[clusters.size() - 2];
      const Cluster& last = clusters.back();
      if (before.top + height * static_cast<float>(before.count) <= last.top) break;
      before.wanted_sum +=
          last.wanted_sum - height * static_cast<float>(before.count) * static_cast<float>(last.count);
      before.count += last.count;
      clusters.pop_back();
      settle(clusters.back());
    }
  }
  std::vector<PlacedLabel> placed;
  for (const Cluster& c : clusters)
    for (size_t i = 0; i < c.count; ++i)
      placed.push_back({order[c.first + i], c.top + height * static_cast<float>(i)});
  return placed;
}

}  // namespace gemmscope::scenes
