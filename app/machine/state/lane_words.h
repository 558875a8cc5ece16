// Moves words between rows of a warp (one row a word, one column a lane) and 32 places in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine/state/row_file.h"

namespace gemmscope::machine {

using LanePointers = std::array<std::byte*, kWarpLanes>;

// Writes each lane's four words to `distances[lane]` bytes from `first`, in the order of the lanes.
void write_quads(const uint32_t* rows, std::byte* first, const std::array<int32_t, kWarpLanes>& distances);

// words: 1, 2 or 4. Lanes outside `active` keep their values; their pointers are not used.
void read_words(uint32_t* rows, const LanePointers& from, uint32_t words, uint32_t active);
// Writes in the order of the lanes: if several lanes write one word, the last one wins.
void write_words(const uint32_t* rows, const LanePointers& to, uint32_t words, uint32_t active);
// The same, of `width` bytes a lane at a multiple of it (1, 2, 4, 8 or 16), to memory where other threads of
// the CPU store at the same time: each word arrives whole.
void write_common_memory(const uint32_t* rows, const LanePointers& to, uint32_t width, uint32_t active);

}  // namespace gemmscope::machine
