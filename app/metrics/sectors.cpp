#include "metrics/sectors.h"

#include <algorithm>
#include <span>

namespace gemmscope::metrics {
namespace {

// Number of distinct values; reorders them.
int distinct(std::span<uint64_t> values) {
  std::sort(values.begin(), values.end());
  return static_cast<int>(std::unique(values.begin(), values.end()) - values.begin());
}

}  // namespace

SectorCount count_sectors(const GlobalAccess& access) {
  // An aligned access of up to 16 bytes lies within one sector and one line.
  std::array<uint64_t, 32> start, sector, line;
  size_t lanes = 0;
  for (size_t l = 0; l < 32; ++l) {
    if ((access.mask >> l & 1u) == 0) continue;
    start[lanes] = access.addresses[l];
    sector[lanes] = access.addresses[l] / kSectorBytes;
    line[lanes] = access.addresses[l] / kLineBytes;
    ++lanes;
  }
  SectorCount count;
  count.sectors = distinct(std::span(sector).first(lanes));
  count.lines = distinct(std::span(line).first(lanes));
  const int bytes = distinct(std::span(start).first(lanes)) * access.width_bytes;
  count.minimum = (bytes + kSectorBytes - 1) / kSectorBytes;
  return count;
}

}  // namespace gemmscope::metrics
