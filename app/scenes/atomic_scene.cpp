#include "scenes/atomic_scene.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>

#include "base/plural.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

bool is_atomic(const machine::TraceAccess& access) {
  return access.direction == machine::Direction::atomic || access.direction == machine::Direction::reduce;
}

void count_block(const experiment::BlockResult& block, AtomicScene& scene) {
  for (const machine::TraceRecord& record : block.trace.records)
    for (const machine::TraceAccess& access : block.trace.accesses_of(record)) {
      if (!is_atomic(access)) continue;
      ++scene.block_instructions;
      scene.block_operations += static_cast<uint64_t>(std::popcount(access.mask));
    }
  scene.totals = fmt::format("The block: {} atomic operation{} by {} warp instruction{}.",
                             grouped(scene.block_operations), plural(scene.block_operations),
                             grouped(scene.block_instructions), plural(scene.block_instructions));
}

void place_lanes(AtomicScene& scene, const std::map<uint64_t, uint32_t>& by_address,
                 const Selection& selection, Rect labels, Rect grid, const SceneMetrics& metrics) {
  const auto rows = static_cast<float>(by_address.size());
  const float height = std::min(grid.height() / rows, std::round(26 * metrics.scale)),
              width = grid.width() / machine::kWarpLanes;
  scene.cell_labels = width >= 1.75f * metrics.digit_width;
  float top = grid.top;
  for (const auto& [address, lanes] : by_address) {
    AtomicAddress row;
    row.label = {labels.left, top, labels.right, top + height};
    row.text = fmt::format("+{}", address - by_address.begin()->first);
    row.lanes = std::popcount(lanes);
    scene.serialized_passes = std::max(scene.serialized_passes, row.lanes);
    int pass = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1, ++pass) {
      const int lane = std::countr_zero(rest);
      const float left = grid.left + width * static_cast<float>(pass);
      scene.lanes.push_back({{left, top, left + width, top + height}, lane, pass, selection.lane == lane});
    }
    scene.addresses.push_back(std::move(row));
    top += height;
  }
}

}  // namespace

AtomicScene layout_atomics(const experiment::BlockResult& block, Cursor cursor, const Selection& selection,
                           Rect area, const SceneMetrics& metrics) {
  AtomicScene scene;
  count_block(block, scene);
  const std::optional<ShownAccess> shown = shown_atomic_access(block, cursor.record);
  if (!shown) {
    scene.empty_text = scene.block_instructions == 0
                           ? "This block has no atomics."
                           : "No atomic of this warp yet. Step forward to the first one.";
    return scene;
  }
  scene.empty = false;
  scene.heading = heading_of(block, *shown, cursor.record);
  const machine::TraceAccess& access = *shown->access;
  scene.operations = std::popcount(access.mask);
  std::map<uint64_t, uint32_t> by_address;
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    by_address[access.addresses[lane]] |= 1u << lane;
  }
  const float unit = metrics.scale, shrink = std::min(1.0f, area.height() / (100 * unit));
  scene.totals_rect = area.cut_bottom(std::floor(20 * unit * shrink));
  Rect chips = area.cut_top(std::floor(20 * unit * shrink));
  area.cut_top(std::floor(14 * unit * shrink));
  const float label_width = std::round(std::min(80 * unit, area.width() * 0.16f));
  scene.lanes_label = chips.cut_left(label_width);
  const float width = chips.width() / machine::kWarpLanes;
  for (int lane = 0; lane < machine::kWarpLanes; ++lane) {
    const float left = chips.left + width * static_cast<float>(lane);
    scene.chips.push_back(lane_chip(lane, {left, chips.top, left + width, chips.bottom}, width, unit,
                                    access.mask, access.mask, selection));
  }
  Rect labels = area.cut_left(label_width);
  scene.addresses_label = labels.cut_top(std::floor(16 * unit * shrink));
  area.cut_top(std::floor(16 * unit * shrink));
  place_lanes(scene, by_address, selection, labels, area, metrics);
  return scene;
}

}  // namespace gemmscope::scenes
