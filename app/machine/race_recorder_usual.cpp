// The loads that no finding can come of, without judging each lane: what was written before the last barrier
// of the whole block is known to all who waited there.
#include <algorithm>

#include "machine/race_recorder.h"

namespace gemmscope::machine {
namespace {

// f(cell, lane) for each cell that a load touches, in the order of the lanes; of a cell that all lanes read
// only the last one counts.
template <uint32_t kCells, typename F>
void for_cells(const LanePlaces& places, F f) {
  switch (places.pattern) {
    case LanePattern::same:
      for (uint32_t w = 0; w < kCells; ++w) f(places.offsets[0] / 4 + w, kWarpLanes - 1);
      return;
    case LanePattern::consecutive:
      for (uint32_t i = 0; i < kCells * kWarpLanes; ++i) f(places.offsets[0] / 4 + i, i / kCells);
      return;
    case LanePattern::any:
#pragma GCC unroll 8
      for (uint32_t l = 0; l < kWarpLanes; ++l)
        for (uint32_t w = 0; w < kCells; ++w) f(places.offsets[l] / 4 + w, l);
  }
}

}  // namespace

template <uint32_t kCells>
bool RaceRecorder::note_known_cells(uint32_t warp, uint32_t pc, const LanePlaces& places) {
  const uint32_t* const written = written_.data();
  uint32_t newest = 0;
  for_cells<kCells>(places, [&](uint32_t cell, uint32_t) { newest = std::max(newest, written[cell]); });
  if (newest > known_[warp]) return false;
  const uint32_t clock = clocks_[warp][warp], next = epoch_ + 1;
  Read* const reads = reads_.data() + warp * cells_;
  uint32_t* const read = read_.data();
  for_cells<kCells>(places, [&](uint32_t cell, uint32_t lane) {
    reads[cell] = {clock, pc << 5 | lane};
    read[cell] = next;
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
  std::copy(places.offsets.begin(), places.offsets.end(), addresses.begin());
  access(warp, pc, addresses, kAllLanes, width, Direction::load);
}

}  // namespace gemmscope::machine
