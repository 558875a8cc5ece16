// Loads and stores of a whole warp in one piece of memory: where its lanes access it, by which pattern, and
// the words that move. Part of LaneOps, since it is compiled like the arithmetic (lanes/memory.inc).
#pragma once

#include "machine/state/lane_words.h"

namespace gemmscope::machine {

// How lanes lie in memory.
enum class LanePattern : uint8_t {
  any,
  same,         // all lanes access one place
  consecutive,  // each lane begins where the one before ends
  repeated,     // of eight lanes: they access what the eight lanes 16 before them do
};

// Where a warp may access memory: whole words of `width` bytes at a multiple of it, in [first, last].
struct LaneBounds {
  uint32_t first = 0, last = 0;  // bytes, below 2^31; last is where the last access may begin
  uint32_t width = 4;            // bytes: 4, 8 or 16
};

// Two pieces of 64 bytes that hold all that a warp's lanes access, where there are two such: each is loaded
// once, and the lanes pick their words.
struct LaneWindows {
  alignas(32) std::array<uint8_t, kWarpLanes> words{};  // of each lane, the first; 16 …: in the second window
  std::array<int32_t, 2> distances{};                   // of their first bytes
  std::array<uint16_t, 2> used{};                       // bit w: a lane accesses word w
  bool known = false;
};

// Places in one piece of memory, in bytes from its start: of lane 0, and how far the others lie from it.
// Loops change the first and keep the distances.
struct LanePlaces {
  alignas(64) std::array<int32_t, kWarpLanes> distances{};
  uint32_t first = 0;
  uint32_t version = 0;             // of the distances
  int32_t lowest = 0, highest = 0;  // of them
  LanePattern pattern = LanePattern::any;
  uint8_t moves = 0;  // until they are studied
  // Known from LaneMemory::study on; until then the eights are as the whole, and there are no windows.
  bool studied = false;
  bool last_known = false;         // the next, from LaneMemory::know_last_ones on; until then all lanes
  uint32_t last_ones = kAllLanes;  // lanes with no later lane at their place: one for each place
  std::array<LanePattern, kWarpLanes / 8> eights{};  // of lanes 0–7, 8–15 …
  LaneWindows windows;

  uint32_t operator[](size_t lane) const { return first + static_cast<uint32_t>(distances[lane]); }
  // Lane 0 at `place`, and the others as far from it as they are: whether all are in bounds.
  bool move_to(uint64_t place, const LaneBounds& bounds) {
    const auto begin = static_cast<int64_t>(place);
    if (place > bounds.last || begin + lowest < bounds.first || begin + highest > bounds.last ||
        (place & (bounds.width - 1)) != 0)
      return false;
    first = static_cast<uint32_t>(place);
    return true;
  }
};

// Shared memory and who has read it, see LaneMemory::stamp.
struct StampedMemory {
  const std::byte* bytes = nullptr;
  uint8_t* map = nullptr;
  uint8_t stamp = 0;
};

struct LaneMemory {
  // The places that the 64-bit addresses {high:low} + added mean, relative to a piece of memory whose own
  // address the caller has taken from `added`. False if one is out of bounds: then they are not to be used.
  bool (*wide_places)(const uint32_t* low, const uint32_t* high, uint64_t added, const LaneBounds& bounds,
                      LanePlaces& places);
  // The same for shared memory: (base << scale) + added, of which 24 bits count.
  bool (*shared_places)(const uint32_t* base, uint32_t scale, uint32_t added, const LaneBounds& bounds,
                        LanePlaces& places);
  // Finds out what is worth its time only for places that are used several times.
  void (*study)(LanePlaces& places, uint32_t width);
  // Part of that, for stores.
  void (*know_last_ones)(LanePlaces& places);
  // Whether the numbers of a row lie apart as the places do, modulo 2^32.
  bool (*keeps_distances)(const uint32_t* row, const LanePlaces& places);
  // The same, and whether the numbers of `equal` are all one.
  bool (*keeps_wide_distances)(const uint32_t* row, const uint32_t* equal, const LanePlaces& places);
  // Of each lane the words at its place, one row a word; words: 1, 2 or 4.
  void (*read)(uint32_t* rows, const std::byte* memory, const LanePlaces& places, uint32_t words);
  // `map` has a byte for each word of memory: makes those of the words that the lanes access `stamp`.
  void (*stamp)(uint8_t* map, const LanePlaces& places, uint32_t words, uint8_t stamp);
  // What a load of shared memory consists of: moves the places as LanePlaces::move_to, reads, stamps. False,
  // and nothing done, where a lane would be out of bounds.
  bool (*load_moved)(uint32_t* rows, const StampedMemory& memory, LanePlaces& places, uint64_t place,
                     const LaneBounds& bounds);
  // To each place the words of its lane, in the order of the lanes.
  void (*write)(const uint32_t* rows, std::byte* memory, const LanePlaces& places, uint32_t words);
};

}  // namespace gemmscope::machine
