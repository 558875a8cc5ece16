// The cells of the map: their colours, and the texts for the cell under the pointer.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "scenes/map_scene.h"
#include "scenes/text.h"

namespace gemmscope::scenes {

using experiment::BlockResult;
using metrics::Element;
using metrics::kMatrixA;
using metrics::kMatrixC;

std::optional<Element> element_at(const MapScene& scene, drawing::Point point) {
  if (scene.empty) return std::nullopt;
  for (const MatrixPane& pane : scene.panes)
    if (const auto cell =
            drawing::cell_at(pane.rect, pane.view, pane.region.columns, pane.region.rows, point))
      return Element{pane.matrix, pane.region.first_row + cell->row, pane.region.first_column + cell->column};
  return std::nullopt;
}

std::vector<drawing::Color> read_colors(const Playhead& playhead, uint8_t matrix, const Region& region) {
  std::vector<drawing::Color> colors;
  colors.reserve(static_cast<size_t>(region.rows) * static_cast<size_t>(region.columns));
  const drawing::Color unread = drawing::heat_color(0.0f);
  const drawing::Color own =
      drawing::color(matrix == kMatrixA ? drawing::Role::matrix_a : drawing::Role::matrix_b);
  const auto most = static_cast<float>(std::max(1u, playhead.reads().most(matrix)));
  for (int r = 0; r < region.rows; ++r)
    for (int c = 0; c < region.columns; ++c) {
      const uint32_t reads = playhead.reads().reads({matrix, region.first_row + r, region.first_column + c});
      // A first read must be visible; the most reads must stay darker than the lanes' marks.
      colors.push_back(
          reads == 0 ? unread : drawing::mix(unread, own, 0.18f + 0.42f * static_cast<float>(reads) / most));
    }
  return colors;
}

namespace {

// The three colours that elements of a warp can have: those of a thread and of its neighbour, so that thread
// tiles are visible, and that of a stored element.
struct FillColors {
  drawing::Color even, odd, stored;
};
FillColors fill_colors(const Playhead& playhead, int warp) {
  const drawing::Color base = drawing::heat_color(0.0f), own = drawing::category_color(warp);
  const float grown = 0.14f + 0.30f * playhead.progress(warp);
  return {drawing::mix(base, own, grown), drawing::mix(base, own, 0.75f * grown),
          drawing::mix(base, own, 0.95f)};
}
drawing::Color color_of(const Playhead& playhead, metrics::Tag element, uint32_t thread,
                        const FillColors& colors) {
  const uint32_t lane = thread % machine::kWarpLanes;
  return playhead.is_stored(element) ? colors.stored : (lane + lane / 8) % 2 == 0 ? colors.even : colors.odd;
}

}  // namespace

drawing::Color owner_color(const Playhead& playhead, metrics::Tag element, uint32_t thread) {
  const auto warp = static_cast<int>(thread / machine::kWarpLanes);
  return color_of(playhead, element, thread, fill_colors(playhead, warp));
}

std::vector<drawing::Color> owner_colors(const Playhead& playhead, const Region& region) {
  const BlockResult& block = playhead.block();
  std::vector<FillColors> fill;
  for (size_t warp = 0; warp < block.warp_records.size(); ++warp)
    fill.push_back(fill_colors(playhead, static_cast<int>(warp)));
  std::vector<drawing::Color> colors(static_cast<size_t>(region.rows) * static_cast<size_t>(region.columns),
                                     drawing::heat_color(0.0f));
  for (const auto& [tag, thread] : block.owners) {
    const Element e = metrics::element_of(block.layout, tag);
    if (e.matrix != kMatrixC || !region.contains(e.row, e.column)) continue;
    colors[static_cast<size_t>((e.row - region.first_row) * region.columns + e.column -
                               region.first_column)] =
        color_of(playhead, tag, thread, fill[thread / machine::kWarpLanes]);
  }
  return colors;
}

std::string describe(const Playhead& playhead, const Element& element) {
  const BlockResult& block = playhead.block();
  std::string text = element_text(block.layout, element);
  if (element.matrix == kMatrixC) {
    const auto owner = block.owners.find(metrics::tag_at(block.layout, block.layout.address_of(element)));
    if (owner != block.owners.end())
      text += fmt::format(": computed by thread {} (warp {}, lane {})", owner->second,
                          owner->second / machine::kWarpLanes, owner->second % machine::kWarpLanes);
  } else {
    const uint32_t reads = playhead.reads().reads(element);
    text += fmt::format(": read from global memory {} time{} so far by this block", grouped(reads),
                        reads == 1 ? "" : "s");
  }
  uint32_t lanes = 0;
  for (const metrics::Touch& touch : playhead.touches())
    if (touch.element == element) lanes |= 1u << touch.lane;
  if (lanes != 0)
    text +=
        fmt::format("; used now by {} {}", std::has_single_bit(lanes) ? "lane" : "lanes", lane_list(lanes));
  return text;
}

std::string describe_overview(const BlockResult& block, const MapScene& scene, size_t matrix) {
  const metrics::MatrixBuffer& buffer = block.layout.buffers[matrix];
  const Region& region = scene.panes[matrix].region;
  const std::string rows =
      fmt::format("rows {}\u2013{}", region.first_row, region.first_row + region.rows - 1);
  const std::string columns =
      fmt::format("columns {}\u2013{}", region.first_column, region.first_column + region.columns - 1);
  return fmt::format("{}, {} \u00d7 {}: the picture shows {} and {}", buffer.name, buffer.rows,
                     buffer.columns, rows, columns);
}

}  // namespace gemmscope::scenes
