#include "metrics/bypass_sectors.h"

#include <algorithm>
#include <bit>

namespace gemmscope::metrics {
namespace {

constexpr uint64_t kCopyBytes = 16;  // per lane; copies past L1 have no other size

}  // namespace

SectorCount count_bypass_sectors(const GlobalAccess& from,
                                 const std::array<uint64_t, machine::kWarpLanes>& to) {
  SectorCount count = count_sectors(from);
  struct Line {
    uint64_t number;
    int read = 0, written = 0;
  };
  std::array<Line, machine::kWarpLanes> lines;
  size_t line_count = 0;
  for (uint32_t left = from.mask; left != 0; left &= left - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(left));
    const uint64_t number = from.addresses[l] / kLineBytes;
    bool reads_known = false, writes_known = false;
    for (uint32_t before = from.mask & ((1u << l) - 1); before != 0; before &= before - 1) {
      const auto other = static_cast<size_t>(std::countr_zero(before));
      if (from.addresses[other] / kLineBytes != number) continue;
      reads_known |= from.addresses[other] / kSectorBytes == from.addresses[l] / kSectorBytes;
      writes_known |= to[other] / kSectorBytes == to[l] / kSectorBytes;
    }
    size_t i = 0;
    while (i < line_count && lines[i].number != number) ++i;
    if (i == line_count) lines[line_count++] = {number};
    lines[i].read += reads_known ? 0 : 1;
    lines[i].written += writes_known ? 0 : 1;
  }
  count.sectors = 0;
  for (size_t i = 0; i < line_count; ++i) count.sectors += std::max(lines[i].read, lines[i].written);
  return count;
}

void BypassSectors::load(const machine::Access& from) {
  from_ = {from.width_bytes, from.mask, *from.addresses};
}

SectorCount BypassSectors::store(const machine::Access& to) {
  GlobalAccess requested = from_;
  from_.mask = 0;
  for (uint32_t left = requested.mask; left != 0; left &= left - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(left));
    const size_t place = (*to.addresses)[l] / kCopyBytes;
    if (place >= in_flight_.size()) in_flight_.resize(place + 1);
    CopyInFlight& copy = in_flight_[place];
    if (copy.wait == wait_ && copy.from == requested.addresses[l]) requested.mask &= ~(1u << l);
    copy = {requested.addresses[l], wait_};
  }
  return count_bypass_sectors(requested, *to.addresses);
}

}  // namespace gemmscope::metrics
