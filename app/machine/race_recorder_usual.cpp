// The loads that no finding can come of, without judging each lane: what was written before the last barrier
// of the whole block is known to all who waited there.
#include <algorithm>
#include <cstring>

#include "machine/race_recorder.h"

namespace gemmscope::machine {
namespace {

// f(first, lane) for the cells that each lane reads, in the order of the lanes. Of cells that many lanes
// read only the last one counts.
template <typename F>
void for_cells(const LanePlaces& places, F f) {
  if (places.pattern == LanePattern::same) return f(places.first / 4, kWarpLanes - 1);
  for (uint32_t l = 0; l < kWarpLanes; ++l)
    if (l + 1 == kWarpLanes || places.distances[l] != places.distances[l + 1]) f(places[l] / 4, l);
}

}  // namespace

template <uint32_t kCells>
bool RaceRecorder::note_known_cells(uint32_t warp, uint32_t pc, const LanePlaces& places) {
  const uint32_t* const written = written_.data();
  std::array<uint32_t, kCells> newest{};
  for_cells(places, [&](uint32_t first, uint32_t) {
    for (uint32_t i = 0; i < kCells; ++i) newest[i] = std::max(newest[i], written[first + i]);
  });
  if (*std::max_element(newest.begin(), newest.end()) > known_[warp]) return false;
  std::array<uint32_t, kCells> next;
  next.fill(epoch_ + 1);
  const uint32_t clock = clocks_[warp][warp];
  Read* const reads = reads_.data() + warp * cells_;
  uint32_t* const read = read_.data();
  for_cells(places, [&](uint32_t first, uint32_t lane) {
    std::array<Read, kCells> by;
    by.fill({clock, pc << 5 | lane});
    std::memcpy(reads + first, by.data(), sizeof by);
    std::memcpy(read + first, next.data(), sizeof next);
  });
  return true;
}

void RaceRecorder::load(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width) {
  if (granule_ == 4 && (width == 4    ? note_known_cells<1>(warp, pc, places)
                        : width == 8  ? note_known_cells<2>(warp, pc, places)
                        : width == 16 ? note_known_cells<4>(warp, pc, places)
                                      : false))
    return;
  Addresses addresses;
  for (size_t l = 0; l < kWarpLanes; ++l) addresses[l] = places[l];
  access(warp, pc, addresses, kAllLanes, width, Direction::load);
}

}  // namespace gemmscope::machine
