#include "scenes/lane_chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gemmscope::scenes {

bool lane_highlighted(const Selection& selection, uint32_t lanes) {
  return selection.lane && (lanes >> *selection.lane & 1u) != 0;
}

LaneChip lane_chip(int lane, drawing::Rect rect, float column, float scale, uint32_t active, uint32_t served,
                   const Selection& selection) {
  LaneChip chip;
  chip.rect = column > 4 * scale ? rect.inset(std::max(1.0f, scale), 0) : rect;
  chip.lane = lane;
  chip.active = (active >> lane & 1u) != 0;
  chip.served = (served >> lane & 1u) != 0;
  chip.highlighted = lane_highlighted(selection, 1u << lane);
  return chip;
}

const LaneChip* lane_chip_at(std::span<const LaneChip> chips, drawing::Point point) {
  for (const LaneChip& chip : chips)
    if (chip.rect.contains(point)) return &chip;
  return nullptr;
}

std::string lanes_label(uint32_t lanes, bool wide) {
  const int count = std::popcount(lanes);
  if (count == 1) return std::to_string(std::countr_zero(lanes));
  return count > 1 && wide ? fmt::format("{}\u00d7", count) : "";
}

}  // namespace gemmscope::scenes
