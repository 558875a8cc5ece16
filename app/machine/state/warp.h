// The state of a warp: its rows, its predicates, and its lanes' program counters. Lanes that have taken
// different paths are separate `Split`s; convergence barriers park them until they go on together
// (machine/README.md, Control flow).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/state/local_memory.h"
#include "machine/state/row_file.h"

namespace gemmscope::machine {

inline uint32_t lane_count(uint32_t mask) {
  return mask == kAllLanes ? kWarpLanes : static_cast<uint32_t>(std::popcount(mask));
}

struct Split {
  uint32_t pc = 0;    // instruction index
  uint32_t mask = 0;  // lanes
};

struct Parked {
  enum class Until : uint8_t { barrier, lanes } until = Until::barrier;
  uint32_t what = 0;  // number of the convergence barrier, or the lanes that WARPSYNC names
  uint32_t pc = 0;    // where they go on
  uint32_t mask = 0;  // lanes that have arrived
};

struct Warp {
  int index = 0;
  uint32_t live = 0;  // lanes that have not exited
  uint32_t* rows = nullptr;
  std::array<uint32_t, kPredicateCount> predicates{};
  std::array<uint32_t, 16> convergence{};  // B0–B15: the lanes that a BSYNC waits for
  std::vector<Split> ready;                // the last one runs
  std::vector<Parked> parked;
  LocalMemory local;
  uint32_t barrier_result = 0;  // of the last barrier that reduced a predicate
  uint32_t branches_left = 0;   // until another warp gets its turn
  bool turn_ended = false;

  uint32_t* row(Row r) { return rows + static_cast<size_t>(r) * kWarpLanes; }
  const uint32_t* row(Row r) const { return rows + static_cast<size_t>(r) * kWarpLanes; }

  void resume(uint32_t pc, uint32_t mask) {
    if (mask != 0) ready.push_back({pc, mask});
  }
  void park(Parked::Until until, uint32_t what, uint32_t pc, uint32_t mask);
  // Releases the parked lanes whose partners have all arrived or exited.
  void release_parked();

 private:
  uint32_t arrived_with(const Parked& one) const;  // all lanes that wait for the same as `one`
};

}  // namespace gemmscope::machine
