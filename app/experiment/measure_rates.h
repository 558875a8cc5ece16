// Measures how fast a GPU's L2 and L1 deliver bytes: two kernels (assets/probes) that do nothing but read.
#pragma once

#include <string>
#include <vector>

#include "experiment/memory_rates.h"
#include "experiment/timing_run.h"

namespace gemmscope::experiment {

struct RateProbe {
  MemoryLevel level = MemoryLevel::l2;
  const char* file = "";       // in assets/probes
  double bytes_of_launch = 0;  // that its loads move from that level
};
// L2, then L1 and shared memory.
const std::vector<RateProbe>& rate_probes();
Result<catalog::Kernel> read_probe(const RateProbe& probe);

struct MeasuredRates {
  double l2_gb_per_second = 0, l1_gb_per_second = 0;  // 10^9 bytes; 0: not measured
  std::vector<std::string> troubles;                  // why not, a sentence for each
};
// Takes `samples` of each probe and divides its bytes by the median time. A probe that cannot be compiled,
// launched or checked is named among the troubles.
MeasuredRates measure_rates(TimingDevice& device, const CompileFunction& compile, size_t samples,
                            const std::atomic<bool>& cancelled);
void set_rates(TimedDevice& device, const MeasuredRates& rates);

}  // namespace gemmscope::experiment
