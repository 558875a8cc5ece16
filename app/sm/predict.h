// The time of a launch on a whole device, from the blocks that one SM holds.
//
// The SM with the most blocks decides. Of many waves four are simulated, and the rate between the first and
// the third goes on. A launch at a large depth K is simulated at two smaller ones, and continued along the
// line through them.
#pragma once

#include <span>

#include "sm/simulator.h"

namespace gemmscope::sm {

// One launch, traced at two depths. Where nothing grows with the depth both are the same, and `deep` alone is
// simulated.
struct SampledLaunch {
  std::string title;
  LaunchTrace shallow, deep;
  double shallow_depth = 0, deep_depth = 0;
  double depth = 0;  // of the launch whose time is asked for
};

struct LaunchTime {
  double cycles = 0;         // of the busiest SM
  double dram_cycles = 0;    // in which DRAM or L2 can deliver every byte of the buffers once
  double atomic_cycles = 0;  // in which L2 updates the busiest word of atomics
  double milliseconds = 0;
  double spread = 0;  // of the runs, as a share of the cycles
  uint64_t blocks_of_busiest_sm = 0, active_sms = 0;
  double waves = 0;
  SmCounters counters;     // of the busiest SM, over the whole launch
  uint64_t simulated = 0;  // warp instructions
};

// Errors: those of Simulator::run.
Result<LaunchTime> predict(const SampledLaunch& launch, const SmConfig& config,
                           const std::atomic<bool>* cancelled = nullptr);

// Blocks of the SM that gets the most (last_wave.h), where the blocks of an SM's last full wave end at
// `wave_ends`, in cycles.
uint64_t blocks_of_busiest_sm(const LaunchTrace& launch, const SmConfig& config,
                              std::span<const double> wave_ends);

// The share of an SM in the chip when the launch runs. `run` chooses among the averaged runs.
ChipShare chip_share(const LaunchTrace& launch, const SmConfig& config, uint32_t run);

// The steps of the resident blocks' whole life, of the first `blocks` blocks of an SM.
Result<Timeline> make_timeline(const LaunchTrace& launch, const SmConfig& config, uint32_t blocks,
                               const std::atomic<bool>* cancelled = nullptr);

}  // namespace gemmscope::sm
