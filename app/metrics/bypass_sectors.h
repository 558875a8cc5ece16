// Sectors of copies past L1 (LDGSTS.BYPASS), as an H200 counts them. The rule was found in 38 recorded
// launches (tests/calibration) and reproduces the figure of each; no document states it.
//
// A copied sector is not kept in L1, so it goes to one place. For each 128-byte line that a request reads,
// the copies read some distinct sectors and write some distinct sectors; the request counts the larger
// number. A copy of the same 16 bytes to the same place that is still in flight is not requested again.
//
// Inaccuracy: a copy counts as in flight until any warp of the block waits for its own copies. Two recorded
// launches copy again before the wait, but none so late that the first copy may have arrived.
#pragma once

#include <vector>

#include "machine/state/observer.h"
#include "metrics/sectors.h"

namespace gemmscope::metrics {

// Of one request whose lanes copy from.addresses to the shared addresses `to`.
SectorCount count_bypass_sectors(const GlobalAccess& from,
                                 const std::array<uint64_t, machine::kWarpLanes>& to);

// Takes the two halves of each copy one after the other, and remembers which copies are in flight.
class BypassSectors {
 public:
  void load(const machine::Access& from);
  // Called after load() of the same copy. Lanes that only fill with zeroes take no part.
  SectorCount store(const machine::Access& to);
  void awaited() { ++wait_; }

 private:
  struct CopyInFlight {
    uint64_t from = 0;
    uint64_t wait = 0;
  };
  GlobalAccess from_;
  std::vector<CopyInFlight> in_flight_;  // indexed by shared address / 16
  uint64_t wait_ = 1;
};

}  // namespace gemmscope::metrics
