// Sectors of copies past L1 (LDGSTS.BYPASS), as an H200 counts them: the rule was found in 38 recorded
// launches (tests/calibration) and gives the figure of each; no document states it.
//
// A copied sector is not kept, so it goes to one place: of each 128-byte line that a request reads, it asks
// for as many sectors as the copies read or write distinct ones, whichever are more. Copies of the same 16
// bytes to the same place that are still on their way are not asked for again.
//
// Inaccuracy: copies count as on their way until a warp of the block waits for any of its own; two recorded
// launches copy again before the wait, none does so late that the first copy may have arrived.
#pragma once

#include <vector>

#include "machine/state/observer.h"
#include "metrics/sectors.h"

namespace gemmscope::metrics {

// Of one request whose lanes copy from.addresses to the shared addresses `to`.
SectorCount count_bypass_sectors(const GlobalAccess& from,
                                 const std::array<uint64_t, machine::kWarpLanes>& to);

// The two halves of each copy one after the other, and what is on its way between them.
class BypassSectors {
 public:
  void load(const machine::Access& from);
  // Behind load() of the same copy. Lanes that only fill with zeroes take no part.
  SectorCount store(const machine::Access& to);
  void awaited() { ++wait_; }

 private:
  struct OnItsWay {
    uint64_t from = 0;
    uint64_t wait = 0;
  };
  GlobalAccess from_;
  std::vector<OnItsWay> on_their_way_;  // by 16 bytes of shared memory
  uint64_t wait_ = 1;
};

}  // namespace gemmscope::metrics
