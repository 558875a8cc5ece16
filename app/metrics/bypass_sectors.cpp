#include "metrics/bypass_sectors.h"

#include <algorithm>
#include <bit>

namespace gemmscope::metrics {
namespace {

constexpr uint64_t kCopyBytes = 16;  // of a lane; there are no others past L1

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
  GlobalAccess asked = from_;
  from_.mask = 0;
  for (uint32_t left = asked.mask; left != 0; left &= left - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(left));
    const size_t place = (*to.addresses)[l] / kCopyBytes;
    if (place >= on_their_way_.size()) on_their_way_.resize(place + 1);
    OnItsWay& copy = on_their_way_[place];
    if (copy.wait == wait_ && copy.from == asked.addresses[l]) asked.mask &= ~(1u << l);
    copy = {asked.addresses[l], wait_};
  }
  return count_bypass_sectors(asked, *to.addresses);
}

}  // namespace gemmscope::metrics
