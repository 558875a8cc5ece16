// Loads and stores of a whole warp in one piece of memory: the places that its lanes access, their pattern,
// and moving the words. Part of LaneOps, since it is compiled like the arithmetic (lanes/memory.inc).
#pragma once

#include "machine/state/lane_words.h"

namespace gemmscope::machine {

// How the lanes' places relate to each other.
enum class LanePattern : uint8_t {
  any,
  same,         // all lanes access one place
  consecutive,  // each lane begins where the one before ends
  repeated,     // only for a group of eight lanes: it accesses the same places as the group 16 lanes before
};

// Where a warp may access memory: whole words of `width` bytes at a multiple of it, in [first, last].
struct LaneBounds {
  uint32_t first = 0, last = 0;  // bytes, below 2^31; last is where the last access may begin
  uint32_t width = 4;            // bytes: 4, 8 or 16
};

// Two windows of 64 bytes that together hold all that a warp's lanes access, if there are two such. Each is
// loaded once, and the lanes pick their words from them.
struct LaneWindows {
  alignas(32) std::array<uint8_t, kWarpLanes> words{};  // each lane's first word; from 16 on: second window
  std::array<int32_t, 2> distances{};                   // of the windows' first bytes from lane 0
  std::array<uint16_t, 2> used{};                       // bit w: a lane accesses word w
  bool known = false;
};

// The places that a warp's lanes access in one piece of memory: lane 0's, in bytes from the start of the
// piece, and every lane's distance from it. In a loop the first changes and the distances stay.
struct LanePlaces {
  alignas(64) std::array<int32_t, kWarpLanes> distances{};
  uint32_t first = 0;
  uint32_t version = 0;             // counts changes of the distances
  int32_t lowest = 0, highest = 0;  // distance
  LanePattern pattern = LanePattern::any;
  uint8_t moves = 0;  // counted until the places are studied
  // True once LaneMemory::study has run. Until then each of the eights has the pattern of the whole, and
  // there are no windows.
  bool studied = false;
  // True once LaneMemory::find_last_lanes has run. Until then last_lanes holds all lanes.
  bool last_lanes_known = false;
  uint32_t last_lanes = kAllLanes;  // the last lane at each place: those with no later lane at their place
  std::array<LanePattern, kWarpLanes / 8> eights{};  // patterns of lanes 0–7, 8–15 …
  LaneWindows windows;

  uint32_t operator[](size_t lane) const { return first + static_cast<uint32_t>(distances[lane]); }
  // Moves lane 0 to `place` and keeps the distances. False, and nothing done, if a lane would be out of
  // bounds or misaligned.
  bool move_to(uint64_t place, const LaneBounds& bounds) {
    const auto begin = static_cast<int64_t>(place);
    if (place > bounds.last || begin + lowest < bounds.first || begin + highest > bounds.last ||
        (place & (bounds.width - 1)) != 0)
      return false;
    first = static_cast<uint32_t>(place);
    return true;
  }
};

// Shared memory and the map of the words that a warp has read, see LaneMemory::stamp.
struct StampedMemory {
  const std::byte* bytes = nullptr;
  uint8_t* map = nullptr;
  uint8_t stamp = 0;
};

struct LaneMemory {
  // Finds the places of the 64-bit addresses {high:low} + added in a piece of memory; the caller has already
  // subtracted the piece's own address from `added`. False if one is out of bounds: the places are then not
  // to be used.
  bool (*wide_places)(const uint32_t* low, const uint32_t* high, uint64_t added, const LaneBounds& bounds,
                      LanePlaces& places);
  // Does the same for shared memory: the addresses are (base << scale) + added, of which 24 bits count.
  bool (*shared_places)(const uint32_t* base, uint32_t scale, uint32_t added, const LaneBounds& bounds,
                        LanePlaces& places);
  // Analyses places that are used again: patterns, windows and last lanes. For a single use it is too slow.
  void (*study)(LanePlaces& places, uint32_t width);
  // Finds only the last lanes, which stores need.
  void (*find_last_lanes)(LanePlaces& places);
  // Returns whether the numbers of a row are as far apart as the places are, modulo 2^32.
  bool (*keeps_distances)(const uint32_t* row, const LanePlaces& places);
  // Returns the same, and also requires that the numbers of `equal` are all equal.
  bool (*keeps_wide_distances)(const uint32_t* row, const uint32_t* equal, const LanePlaces& places);
  // Reads the words at each lane's place, one row a word; words: 1, 2 or 4.
  void (*read)(uint32_t* rows, const std::byte* memory, const LanePlaces& places, uint32_t words);
  // Writes `stamp` into `map`, which has a byte for each word of memory, for the words that the lanes access.
  void (*stamp)(uint8_t* map, const LanePlaces& places, uint32_t words, uint8_t stamp);
  // Loads from shared memory: moves the places as LanePlaces::move_to does, reads, and stamps. False, and
  // nothing done, if a lane would be out of bounds.
  bool (*load_moved)(uint32_t* rows, const StampedMemory& memory, LanePlaces& places, uint64_t place,
                     const LaneBounds& bounds);
  // Writes each lane's words to its place, in the order of the lanes.
  void (*write)(const uint32_t* rows, std::byte* memory, const LanePlaces& places, uint32_t words);
};

}  // namespace gemmscope::machine
