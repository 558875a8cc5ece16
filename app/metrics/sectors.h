// Global-memory coalescing for compute capability 5.0 and later: an access fetches the distinct 32-byte
// sectors that its active lanes touch; four sectors share a 128-byte line (metrics/README.md,
// Global and local memory).
#pragma once

#include <array>
#include <cstdint>

#include "machine/state/row_file.h"

namespace gemmscope::metrics {

inline constexpr int kSectorBytes = 32, kLineBytes = 128;

struct GlobalAccess {
  int width_bytes = 4;  // per lane: 1, 2, 4, 8 or 16
  uint32_t mask = 0;
  std::array<uint64_t, machine::kWarpLanes> addresses{};
};

struct SectorCount {
  int sectors = 0;
  int minimum = 0;  // sectors that the distinct bytes would fill if they were contiguous
  int lines = 0;    // distinct 128-byte lines (cache tags)
  int excess() const { return sectors - minimum; }
};

SectorCount count_sectors(const GlobalAccess& access);

// Atomics: lanes at one address are served one after the other, each in a pass of its own, so a sector counts
// as often as its most contended address has lanes. Source: an H200's counters of EXCH and CAS with all lanes
// at one address, at adjacent addresses and a sector apart, and of RED.INC with some or all lanes at one
// address.
SectorCount count_atomic_sectors(const GlobalAccess& access);

// Local memory: the same word of the 32 lanes is contiguous, 128 bytes (CUDA programming guide, "Local
// memory"). `addresses` count from the start of a lane's own window.
SectorCount count_local_sectors(const GlobalAccess& access);

}  // namespace gemmscope::metrics
