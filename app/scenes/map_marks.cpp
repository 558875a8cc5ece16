#include "scenes/map_marks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>

#include "scenes/lane_chip.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::BlockResult;
using metrics::Element;
using metrics::kMatrixA;
using metrics::kMatrixB;
using metrics::kMatrixC;

Rect element_rect(const MatrixPane& pane, const Element& element) {
  return drawing::cell_rect(pane.rect, pane.view,
                            {static_cast<int>(element.column - pane.region.first_column),
                             static_cast<int>(element.row - pane.region.first_row)});
}

// A mark must be seen from the back of a room, however small its cell is.
Rect at_least(Rect rect, float side) {
  const drawing::Point center = rect.center();
  if (rect.width() < side) rect.left = std::round(center.x - side / 2), rect.right = rect.left + side;
  if (rect.height() < side) rect.top = std::round(center.y - side / 2), rect.bottom = rect.top + side;
  return rect;
}

// Cells of at least 14 points show the number of their lane. Where two digits fill a cell, those of
// neighbours would read as one number, so that only every second column has them.
bool has_room_for_lane(Rect cell, int64_t column, const SceneMetrics& metrics) {
  constexpr float kLeastSide = 14, kDigits = 1.75f, kDigitsApart = 2.5f;
  const float side = std::max(kLeastSide * metrics.scale, kDigits * metrics.digit_width);
  if (std::floor(cell.width()) < side || std::floor(cell.height()) < kLeastSide * metrics.scale) return false;
  return column % 2 == 0 || std::floor(cell.width()) >= kDigitsApart * metrics.digit_width;
}

bool is_written(metrics::TouchKind kind) {
  return kind == metrics::TouchKind::accumulate || kind == metrics::TouchKind::write_global ||
         kind == metrics::TouchKind::write_shared;
}

}  // namespace

void place_marks(MapScene& scene, const Playhead& playhead, const Selection& selection,
                 const SceneMetrics& metrics) {
  struct Merged {
    uint32_t lanes = 0;
    bool written = false;
  };
  std::map<std::tuple<uint8_t, int64_t, int64_t>, Merged> merged;
  for (const metrics::Touch& touch : playhead.touches()) {
    Merged& m = merged[{touch.element.matrix, touch.element.row, touch.element.column}];
    m.lanes |= 1u << touch.lane;
    m.written |= is_written(touch.kind);
  }
  for (const auto& [key, m] : merged) {
    const Element element{std::get<0>(key), std::get<1>(key), std::get<2>(key)};
    const MatrixPane& pane = scene.panes[element.matrix];
    if (!pane.region.contains(element.row, element.column)) continue;
    CellMark mark;
    mark.rect = at_least(element_rect(pane, element), std::round(4 * metrics.scale));
    mark.element = element;
    mark.lanes = m.lanes;
    mark.first_lane = std::countr_zero(m.lanes);
    mark.written = m.written;
    mark.highlighted =
        (selection.lane && (m.lanes >> *selection.lane & 1u) != 0) || selection.element == element;
    if (has_room_for_lane(mark.rect, element.column - pane.region.first_column, metrics))
      mark.label = lanes_label(m.lanes, true);
    scene.marks.push_back(mark);
  }
}

void place_lane_labels(MapScene& scene, const Playhead& playhead, const SceneMetrics& metrics) {
  const BlockResult& block = playhead.block();
  const MatrixPane& pane = scene.panes[kMatrixC];
  if (pane.region.rows == 0 ||
      !has_room_for_lane(element_rect(pane, {kMatrixC, pane.region.first_row, pane.region.first_column}), 0,
                         metrics))
    return;
  for (int64_t row = pane.region.first_row; row < pane.region.first_row + pane.region.rows; ++row)
    for (int64_t column = pane.region.first_column; column < pane.region.first_column + pane.region.columns;
         ++column) {
      const Element element{kMatrixC, row, column};
      if (!has_room_for_lane(element_rect(pane, element), column - pane.region.first_column, metrics))
        continue;
      const auto owner = block.owners.find(metrics::tag_at(block.layout, block.layout.address_of(element)));
      if (owner != block.owners.end())
        scene.lane_labels.push_back({element_rect(pane, element),
                                     std::to_string(owner->second % machine::kWarpLanes),
                                     owner_color(playhead, owner->first, owner->second)});
    }
}

namespace {

// The elements of C that a thread owns. Neighbours are joined into rectangles: first along rows, then
// adjacent rows with the same columns.
std::vector<Rect> owned_rects(const MatrixPane& pane, const BlockResult& block, int thread) {
  struct Run {
    int64_t row, rows, first, last;  // columns first to last, inclusive
  };
  std::vector<Run> runs;
  if (thread < 0 || static_cast<size_t>(thread) >= block.owned.size()) return {};
  for (const metrics::Tag tag : block.owned[static_cast<size_t>(thread)]) {
    const Element e = metrics::element_of(block.layout, tag);
    if (e.matrix != kMatrixC || !pane.region.contains(e.row, e.column)) continue;
    if (!runs.empty() && runs.back().row == e.row && runs.back().last + 1 == e.column) {
      runs.back().last = e.column;
    } else {
      runs.push_back({e.row, 1, e.column, e.column});
    }
  }
  std::vector<Run> joined;
  for (const Run& run : runs) {
    const auto above = std::find_if(joined.begin(), joined.end(), [&](const Run& j) {
      return j.row + j.rows == run.row && j.first == run.first && j.last == run.last;
    });
    if (above != joined.end()) {
      ++above->rows;
    } else {
      joined.push_back(run);
    }
  }
  std::vector<Rect> rects;
  for (const Run& run : joined) {
    const Rect first = element_rect(pane, {kMatrixC, run.row, run.first});
    const Rect last = element_rect(pane, {kMatrixC, run.row + run.rows - 1, run.last});
    rects.push_back({first.left, first.top, last.right, last.bottom});
  }
  return rects;
}

// The elements that a record adds to, or accesses in global memory.
std::vector<Element> elements_of(const BlockResult& block, const machine::TraceRecord& record) {
  std::vector<Element> elements;
  const auto add = [&](metrics::Tag tag) {
    if (tag != metrics::kNoTag) elements.push_back(metrics::element_of(block.layout, tag));
  };
  for (uint32_t word = 0;; ++word) {
    const metrics::TagRow* row = block.accumulators.find(record.instruction, record.warp, word);
    if (row == nullptr) break;
    for (int lane = 0; lane < machine::kWarpLanes; ++lane)
      if ((record.executed >> lane & 1u) != 0) add((*row)[static_cast<size_t>(lane)]);
  }
  for (const machine::TraceAccess& access : block.trace.accesses_of(record)) {
    if (access.space != machine::Space::global) continue;
    for (size_t lane = 0; lane < machine::kWarpLanes; ++lane)
      for (uint32_t byte = 0; (access.mask >> lane & 1u) != 0 && byte < access.width_bytes; byte += 4)
        add(metrics::tag_at(block.layout, access.addresses[lane] + byte));
  }
  return elements;
}

}  // namespace

void place_owned(MapScene& scene, const BlockResult& block) {
  scene.owned = owned_rects(scene.panes[kMatrixC], block, scene.focus_thread);
}

void place_warps(MapScene& scene, const BlockResult& block, std::span<const WarpPlace> warps,
                 const SceneMetrics& metrics) {
  const uint16_t followed = block.trace.records[scene.record].warp;
  for (const WarpPlace& place : warps) {
    if (place.warp == followed || place.record >= block.trace.records.size()) continue;
    const int thread = place.warp * machine::kWarpLanes + scene.focus_lane;
    for (const Rect& rect : owned_rects(scene.panes[kMatrixC], block, thread))
      scene.warp_owned.push_back({rect, place.warp});
    for (const Element& element : elements_of(block, block.trace.records[place.record])) {
      const MatrixPane& pane = scene.panes[element.matrix];
      if (!pane.region.contains(element.row, element.column)) continue;
      scene.warp_marks.push_back(
          {at_least(element_rect(pane, element), std::round(3 * metrics.scale)), place.warp});
    }
  }
}

// Places lines from the focus lane's element of A to the right and from that of B downwards; they meet in C.
void place_guides(MapScene& scene, const Playhead& playhead, const SceneMetrics& metrics) {
  const float thickness = std::max(1.0f, std::round(metrics.scale));
  const MatrixPane &a = scene.panes[kMatrixA], &b = scene.panes[kMatrixB], &c = scene.panes[kMatrixC];
  bool has_a = false, has_b = false;
  for (const metrics::Touch& touch : playhead.touches()) {
    if (touch.lane != scene.focus_lane || touch.kind != metrics::TouchKind::multiply) continue;
    if (touch.element.matrix == kMatrixA && a.region.contains(touch.element.row, touch.element.column) &&
        !has_a) {
      const Rect from = element_rect(a, touch.element);
      const float y = std::round(from.center().y - thickness / 2);
      scene.guides.push_back({from.right, y, c.rect.right, y + thickness});
      has_a = true;
    }
    if (touch.element.matrix == kMatrixB && b.region.contains(touch.element.row, touch.element.column) &&
        !has_b) {
      const Rect from = element_rect(b, touch.element);
      const float x = std::round(from.center().x - thickness / 2);
      scene.guides.push_back({x, from.bottom, x + thickness, c.rect.bottom});
      has_b = true;
    }
  }
}

}  // namespace gemmscope::scenes
