// What a modelled launch used of the busiest SM and of the chip, and what its warps waited for: the figures
// from which bound.h derives its sentences.
#pragma once

#include <array>
#include <string>

#include "sm/predict.h"

namespace gemmscope::sm {

struct LaunchFigures {
  double milliseconds = 0;
  double cycles = 0;        // of the busiest SM
  double instructions = 0;  // warp instructions that it issued
  // Shares of those cycles, 0 to 1.
  double issue = 0;                         // of the four sub-cores' issue slots
  std::array<double, kUnits> pipes{};       // of the sub-cores' cycles; fma: both FMA units together
  double global_data = 0, shared_data = 0;  // the data stage of L1 and shared memory, by the kind of access
  double global_lsu = 0, shared_lsu = 0;    // the load-store unit, by the kind of access
  double l2 = 0, stores = 0;                // what L2 delivers to the SM and takes from it
  double dram = 0;                          // the chip's DRAM; 0 where the problem fits in L2
  double atomics = 0;                       // the word of L2 that most atomics update
  StallCycles stalls{};                     // warp cycles per issued instruction, as Nsight Compute's
                                            // smsp__average_warps_issue_stalled_…_per_issue_active.ratio
  double shared_wavefronts = 0;             // of the busiest SM
  double l1_sectors = 0, l1_hits = 0, l2_load_sectors = 0, store_sectors = 0;
  // Of the chip, where the launch is repeated, so that L2 holds what the last one left there.
  double dram_read_bytes = 0, dram_written_bytes = 0;
  // Blocks and warps.
  uint64_t blocks = 0, sms = 0, blocks_of_busiest_sm = 0;
  double waves = 0;
  int blocks_per_sm = 0, warps_per_block = 0;
  int most_warps = 0;           // that an SM can hold
  double achieved_warps = 0;    // mean over the busiest SM's cycles
  int registers = 0;            // per thread
  uint32_t shared_bytes = 0;    // of a block, as allocated
  std::string occupancy_limit;  // "registers": what allows no more blocks

  double l1_hit_rate() const { return l1_sectors > 0 ? l1_hits / l1_sectors : 0; }
  // Of the sectors that all SMs load from L2, those that it has, or that another SM waits for already.
  double l2_hit_rate() const;
  // The share of the SMs' time in which some have no block left: 1 - blocks / (SMs x blocks of the busiest).
  double idle_share() const;
};

// `most_warps`, `registers` and `occupancy_limit` are left to the caller.
LaunchFigures figures_of(const SampledLaunch& launch, const LaunchTime& time, const SmConfig& config);

}  // namespace gemmscope::sm
