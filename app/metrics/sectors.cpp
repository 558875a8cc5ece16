#include "metrics/sectors.h"

#include <algorithm>
#include <span>
#include <utility>

namespace gemmscope::metrics {
namespace {

// Returns the number of distinct values and reorders them.
int distinct(std::span<uint64_t> values) {
  std::sort(values.begin(), values.end());
  return static_cast<int>(std::unique(values.begin(), values.end()) - values.begin());
}

}  // namespace

SectorCount count_sectors(const GlobalAccess& access) {
  // An aligned access of up to 16 bytes lies within one sector and one line.
  std::array<uint64_t, machine::kWarpLanes> start, sector, line;
  size_t lanes = 0;
  for (size_t l = 0; l < machine::kWarpLanes; ++l) {
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

SectorCount count_atomic_sectors(const GlobalAccess& access) {
  SectorCount count = count_sectors(access);
  std::array<uint64_t, machine::kWarpLanes> start;
  size_t lanes = 0;
  for (size_t l = 0; l < machine::kWarpLanes; ++l)
    if ((access.mask >> l & 1u) != 0) start[lanes++] = access.addresses[l];
  std::sort(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(lanes));
  count.sectors = 0;
  int most = 0, run = 0;  // lanes at one address: the largest number in this sector, and at this address
  for (size_t i = 0; i < lanes; ++i) {
    const bool same_address = i > 0 && start[i] == start[i - 1];
    const bool same_sector = i > 0 && start[i] / kSectorBytes == start[i - 1] / kSectorBytes;
    if (!same_sector) count.sectors += std::exchange(most, 0);
    run = same_address ? run + 1 : 1;
    most = std::max(most, run);
  }
  count.sectors += most;
  return count;
}

SectorCount count_local_sectors(const GlobalAccess& access) {
  std::array<uint64_t, 128> sector, line;
  size_t words = 0;
  const uint64_t words_per_lane = access.width_bytes >= 4 ? static_cast<uint64_t>(access.width_bytes) / 4 : 1;
  for (size_t l = 0; l < machine::kWarpLanes; ++l) {
    if ((access.mask >> l & 1u) == 0) continue;
    for (uint64_t w = 0; w < words_per_lane; ++w, ++words) {
      line[words] = access.addresses[l] / 4 + w;
      sector[words] = line[words] * 4 + l / 8;
    }
  }
  SectorCount count;
  count.sectors = distinct(std::span(sector).first(words));
  count.lines = distinct(std::span(line).first(words));
  count.minimum = static_cast<int>((words * 4 + kSectorBytes - 1) / kSectorBytes);
  return count;
}

}  // namespace gemmscope::metrics
