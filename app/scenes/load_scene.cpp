#include "scenes/load_scene.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "metrics/dependency_distance.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

// Only this many first steps of a warp are evaluated.
constexpr size_t kMostSteps = 50'000;

// Global loads of the warp's first steps, and where each is waited for.
std::vector<metrics::Dependency> loads_of(const experiment::BlockResult& block, int warp) {
  const std::span<const uint32_t> records = block.warp_records[static_cast<size_t>(warp)];
  return metrics::load_waits(
      {block.trace, block.compiled->instructions, records.first(std::min(records.size(), kMostSteps))});
}

}  // namespace

LoadScene layout_loads(const experiment::BlockResult& block, Cursor cursor, Rect area,
                       const SceneMetrics& metrics) {
  LoadScene scene;
  if (cursor.record >= block.trace.records.size()) return scene;
  const int warp = block.trace.records[cursor.record].warp;
  const std::vector<metrics::Dependency> loads = loads_of(block, warp);
  if (loads.empty()) {
    scene.empty_text = "This warp waits for no load from global memory.";
    return scene;
  }
  scene.empty = false;
  scene.loads = loads.size();
  for (const metrics::Dependency& load : loads) {
    const int distance = static_cast<int>(load.distance());
    scene.least = std::min(scene.least.value_or(distance), distance);
    scene.most = std::max(scene.most.value_or(distance), distance);
    scene.mean += static_cast<double>(distance) / static_cast<double>(loads.size());
  }
  // Show as many steps as there is room for, with the cursor's step a third from the left.
  const float wanted = std::max(4.0f, 9 * metrics.scale);
  const size_t steps = step_count(block, warp), here = position_of(block, warp, cursor.record);
  const size_t count = std::min(steps, std::max<size_t>(1, static_cast<size_t>(area.width() / wanted)));
  const size_t first = std::min(here - std::min(here, count / 3), steps - count);
  scene.strip = area;
  scene.strip.top = scene.strip.bottom - std::min(std::round(26 * metrics.scale), area.height() * 0.35f);
  const float width = area.width() / static_cast<float>(count);
  for (size_t i = 0; i < count; ++i) {
    StepCell cell;
    cell.record = record_at(block, warp, first + i);
    cell.rect = {area.left + width * static_cast<float>(i), scene.strip.top,
                 area.left + width * static_cast<float>(i + 1), scene.strip.bottom};
    cell.kind = work_kind(block.compiled->instructions[block.trace.records[cell.record].instruction]);
    cell.current = first + i == here;
    scene.cells.push_back(cell);
  }
  const float room = std::max(0.0f, scene.strip.top - area.top);
  for (const metrics::Dependency& load : loads) {
    if (load.from <= here && here < load.to) ++scene.in_flight;
    if (load.to < first || load.from >= first + count) continue;
    const auto x = [&](size_t step) {
      const float at = (static_cast<float>(step) - static_cast<float>(first) + 0.5f) * width;
      return std::clamp(area.left + at, area.left, area.right);
    };
    LoadArc arc;
    arc.from = {x(load.from), scene.strip.top};
    arc.to = {x(load.to), scene.strip.top};
    arc.distance = static_cast<int>(load.distance());
    arc.height = std::min(room, room * std::sqrt(static_cast<float>(arc.distance) /
                                                 static_cast<float>(std::max(1, *scene.most))));
    arc.current = load.from <= here && here < load.to;
    scene.arcs.push_back(arc);
  }
  return scene;
}

}  // namespace gemmscope::scenes
