// What bounds a modelled launch, and why another variant takes another time: sentences from the figures of
// figures.h alone.
#pragma once

#include <string>

#include "sm/figures.h"

namespace gemmscope::sm {

enum class Bound : uint8_t {
  memory,         // the way to global memory: load-store unit, L1, L2, DRAM
  compute,        // a pipe that computes
  latency,        // no unit is busy; the warps wait for results
  occupancy,      // as latency, and registers, shared memory or threads keep more warps away
  shared_memory,  // its data stage, or the load-store unit with shared accesses
  issue,          // the issue slots
  tail,           // some SMs have no block while the others still work
};
inline constexpr int kBounds = 7;
const char* bound_name(Bound bound);  // "shared memory"

struct BoundReport {
  Bound bound = Bound::latency;
  double share = 0;      // 0 to 1, of the resource named in the sentence; latency: issue slots without use
  std::string sentence;  // "Bound by compute: the FMA pipe is busy in 88 % of the cycles; …"
};

// A unit bounds a launch from this share of the cycles on.
inline constexpr double kBusyShare = 0.6;
// A launch is bound by its tail where more of the SMs' time is idle.
inline constexpr double kTailShare = 0.25;

BoundReport bound_of(const LaunchFigures& figures);

// One sentence on the way from one variant to the other, at the same size on the same device: the figures
// that changed most, those first that agree with the change of time. `title` names what `after` has that
// `before` has not: "double buffering costs 8 % here: 118 → 168 registers, 2 → 1 blocks an SM".
std::string explain_difference(const std::string& title, const LaunchFigures& before,
                               const LaunchFigures& after);

}  // namespace gemmscope::sm
