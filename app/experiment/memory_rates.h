// How fast each level of a GPU's memory delivers bytes: the slanted roofs of the roofline.
#pragma once

#include <cstdint>

#include "experiment/timings.h"
#include "sm/config.h"

namespace gemmscope::experiment {

enum class MemoryLevel : uint8_t { l1, l2, dram };  // l1: L1 and shared memory, which are one memory
inline constexpr int kMemoryLevels = 3;
const char* memory_name(MemoryLevel level);  // "L1 + shared"

struct MemoryRate {
  double bytes_per_second = 0;  // of all SMs together; 0: not known
  Provenance provenance = Provenance::modelled;
};
struct MemoryRates {
  MemoryRate levels[kMemoryLevels];
  const MemoryRate& of(MemoryLevel level) const { return levels[static_cast<int>(level)]; }
};

// The rates that the timings' device states; those that it does not state are the model's, where it has the
// device (`config`, or null). A wavefront of 128 bytes takes wavefront_cycles in L1.
MemoryRates memory_rates(const TimedDevice& device, Provenance provenance, const sm::SmConfig* config);

}  // namespace gemmscope::experiment
