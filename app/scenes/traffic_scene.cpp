#include "scenes/traffic_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

// Room for six floats per element, so that common launches have the same scale.
constexpr double kLeastScale = 24;

double read_bytes(const metrics::InstructionTraffic& t) {
  return static_cast<double>(t.global_load.sectors + t.async_global.sectors) * metrics::kSectorBytes;
}
double written_bytes(const metrics::InstructionTraffic& t) {
  return static_cast<double>(t.global_store.sectors) * metrics::kSectorBytes;
}

TrafficBar bar_of(const std::string& name, const metrics::CounterSummary& summary, double elements) {
  TrafficBar bar;
  bar.name = name;
  bar.read_bytes = read_bytes(summary.traffic);
  bar.written_bytes = written_bytes(summary.traffic);
  const double bytes = bar.read_bytes + bar.written_bytes;
  bar.text = fmt::format("{:.3g} B, {}B", bytes / elements, short_number(bytes));
  return bar;
}

}  // namespace

TrafficScene layout_traffic(const experiment::GridResult* grid, const catalog::Problem& problem, Rect area,
                            const SceneMetrics& metrics) {
  TrafficScene scene;
  if (grid == nullptr || grid->summaries.empty()) {
    scene.empty_text = "The bytes of all launches are known once the whole grid has been executed.";
    return scene;
  }
  scene.empty = false;
  const double elements = static_cast<double>(problem.m) * static_cast<double>(problem.n);
  const auto& parts = grid->compiled->parts;
  for (size_t i = 0; i < grid->summaries.size(); ++i)
    scene.bars.push_back(bar_of(parts[i].title, grid->summaries[i], elements));
  const TrafficBar total = bar_of("total", grid->summary, elements);
  const double scale = std::max(kLeastScale, (total.read_bytes + total.written_bytes) / elements);
  if (scene.bars.size() > 1) {
    scene.bars.push_back(total);
    scene.bars.back().total = true;
  }
  scene.axis = area.cut_bottom(std::min(metrics.small_height, area.height() * 0.15f));
  const float name_width = std::min(130 * metrics.scale, area.width() * 0.22f);
  const Rect names = area.cut_left(std::round(name_width));
  const Rect texts = area.cut_right(std::round(std::min(210 * metrics.scale, area.width() * 0.36f)));
  scene.plot = area;
  const float row = std::min(area.height() / static_cast<float>(scene.bars.size()), 46 * metrics.scale);
  float top = area.top;
  for (TrafficBar& bar : scene.bars) {
    const float middle = row * 0.18f;
    const auto x = [&](double bytes) {
      return area.left + area.width() * static_cast<float>(bytes / elements / scale);
    };
    bar.name_rect = {names.left, top, names.right, top + row};
    bar.text_rect = {texts.left + std::min(10 * metrics.scale, texts.width()), top, texts.right, top + row};
    bar.read = {x(0), top + middle, x(bar.read_bytes), top + row - middle};
    bar.written = {bar.read.right, bar.read.top, x(bar.read_bytes + bar.written_bytes), bar.read.bottom};
    top += row;
  }
  scene.plot.bottom = top;
  scene.axis = scene.axis.moved(0, top - scene.axis.top);  // few bars leave room below
  // A tick for each float, or for every n-th so that their labels do not overlap.
  const int floats = static_cast<int>(scale / 4);
  const int every = std::max(
      1, static_cast<int>(std::ceil(static_cast<float>(floats) * 4 * metrics.digit_width / area.width())));
  for (int i = 0; i <= floats; i += every)
    scene.ticks.push_back(
        {area.left + area.width() * static_cast<float>(4 * i / scale), std::to_string(4 * i)});
  return scene;
}

}  // namespace gemmscope::scenes
