// The fast way for loads and stores that cannot be mistakes: an access before the last barrier of the whole
// block is ordered before everything that the warps do after that barrier. No lane is checked by itself.
#include <algorithm>
#include <bit>
#include <cstring>

#include "machine/checks/race_recorder.h"

namespace gemmscope::machine {
namespace {

// Calls f(first, lane) for the cells that each lane accesses, in the order of the lanes. If several lanes
// access the same cells, it is called only for the last of them.
template <typename F>
void for_cells(const LanePlaces& places, F f) {
  for (uint32_t left = places.last_lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    f(places[lane] / 4, lane);
  }
}

// The latest epoch of all cells that the lanes access.
template <uint32_t kCells>
uint32_t newest_of(const LanePlaces& places, const uint32_t* epochs) {
  std::array<uint32_t, kCells> newest{};
  for_cells(places, [&](uint32_t first, uint32_t) {
    for (uint32_t i = 0; i < kCells; ++i) newest[i] = std::max(newest[i], epochs[first + i]);
  });
  return *std::max_element(newest.begin(), newest.end());
}

}  // namespace

template <uint32_t kCells>
bool RaceRecorder::note_known_reads(uint32_t warp, uint32_t pc, const LanePlaces& places) {
  if (newest_of<kCells>(places, written_.data()) > known_[warp]) return false;
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

template <uint32_t kCells>
bool RaceRecorder::note_known_writes(uint32_t warp, uint32_t pc, const LanePlaces& places) {
  const uint32_t known = known_[warp];
  if (newest_of<kCells>(places, written_.data()) > known || newest_of<kCells>(places, read_.data()) > known)
    return false;
  const uint32_t clock = clocks_[warp][warp], next = epoch_ + 1;
  Write* const writes = writes_.data();
  uint32_t* const written = written_.data();
  for_cells(places, [&](uint32_t first, uint32_t lane) {
    for (uint32_t i = 0; i < kCells; ++i) {
      writes[first + i] = {clock, pc,    0,    static_cast<uint8_t>(warp), static_cast<uint8_t>(lane),
                           false, false, false};
      written[first + i] = next;
    }
  });
  return true;
}

void RaceRecorder::load(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width) {
  if (granule_ == 4 && (width == 4    ? note_known_reads<1>(warp, pc, places)
                        : width == 8  ? note_known_reads<2>(warp, pc, places)
                        : width == 16 ? note_known_reads<4>(warp, pc, places)
                                      : false))
    return;
  access(warp, pc, places, width, Direction::load);
}

void RaceRecorder::store(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width) {
  if (granule_ == 4 && (width == 4    ? note_known_writes<1>(warp, pc, places)
                        : width == 8  ? note_known_writes<2>(warp, pc, places)
                        : width == 16 ? note_known_writes<4>(warp, pc, places)
                                      : false))
    return;
  access(warp, pc, places, width, Direction::store);
}

void RaceRecorder::access(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width,
                          Direction direction) {
  Addresses addresses;
  for (size_t l = 0; l < kWarpLanes; ++l) addresses[l] = places[l];
  access(warp, pc, addresses, kAllLanes, width, direction);
}

}  // namespace gemmscope::machine
