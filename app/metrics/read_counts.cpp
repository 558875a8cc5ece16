#include "metrics/read_counts.h"

#include <algorithm>
#include <bit>

namespace gemmscope::metrics {
namespace {

// Calls `f` for every element that a global access touches, once per lane.
template <typename F>
void for_elements(const machine::TraceAccess& access, const MatrixLayout& layout, F f) {
  if (access.space != machine::Space::global) return;
  for (uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(mask));
    const uint64_t end = access.addresses[lane] + access.width_bytes;
    for (uint64_t address = access.addresses[lane]; address < end;) {
      const std::optional<Element> element = layout.element_at(address);
      if (element) f(*element);
      address += element ? layout.buffers[element->matrix].element_bytes : 1;
    }
  }
}

}  // namespace

std::vector<Footprint> footprints(const machine::Trace& trace, const MatrixLayout& layout) {
  struct Bounds {
    int64_t top = INT64_MAX, left = INT64_MAX, bottom = -1, right = -1;
  };
  std::vector<Bounds> bounds(layout.buffers.size());
  for (const machine::TraceAccess& access : trace.accesses)
    for_elements(access, layout, [&](const Element& e) {
      Bounds& b = bounds[e.matrix];
      b.top = std::min(b.top, e.row);
      b.left = std::min(b.left, e.column);
      b.bottom = std::max(b.bottom, e.row);
      b.right = std::max(b.right, e.column);
    });
  std::vector<Footprint> result;
  for (const Bounds& b : bounds)
    result.push_back(b.bottom < 0 ? Footprint{}
                                  : Footprint{b.top, b.left, b.bottom - b.top + 1, b.right - b.left + 1});
  return result;
}

ReadCounts::ReadCounts(const machine::Trace& trace, const MatrixLayout& layout)
    : trace_(trace), layout_(layout), footprints_(footprints(trace, layout)) {
  for (const Footprint& f : footprints_) counts_.emplace_back(static_cast<size_t>(f.rows * f.columns));
  seek(trace.records.size());
  for (const std::vector<uint32_t>& counts : counts_)
    final_most_.push_back(counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end()));
  seek(0);
}

void ReadCounts::add(size_t record, uint32_t change) {
  for (const machine::TraceAccess& access : trace_.accesses_of(trace_.records[record])) {
    if (access.direction != machine::Direction::load) continue;
    for_elements(access, layout_, [&](const Element& e) {
      const Footprint& f = footprints_[e.matrix];
      counts_[e.matrix][static_cast<size_t>((e.row - f.first_row) * f.columns + e.column - f.first_column)] +=
          change;
    });
  }
}

void ReadCounts::seek(size_t record) {
  record = std::min(record, trace_.records.size());
  for (; position_ < record; ++position_) add(position_, 1);
  for (; position_ > record; --position_) add(position_ - 1, static_cast<uint32_t>(-1));
}

uint32_t ReadCounts::reads(const Element& element) const {
  const Footprint& f = footprints_[element.matrix];
  if (!f.contains(element.row, element.column)) return 0;
  return counts_[element.matrix][static_cast<size_t>((element.row - f.first_row) * f.columns +
                                                     element.column - f.first_column)];
}

}  // namespace gemmscope::metrics
