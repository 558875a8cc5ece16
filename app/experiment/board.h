// What if the device were another: its numbers, changed by a few factors that stand for the parts of a GPU.
#pragma once

#include <array>
#include <string>

#include "metrics/occupancy.h"
#include "sm/config.h"

namespace gemmscope::experiment {

enum class Knob : uint8_t {
  sms,
  clock,
  dram,          // bandwidth
  l2_bandwidth,  // to one SM and to all, loads and stores
  l2_size,
  shared_rate,  // bytes a cycle of shared memory and L1
  latency,      // of shared memory, L1, L2 and DRAM
  registers,    // of an SM
  warps,        // that an SM holds; its blocks follow
};
inline constexpr int kKnobs = 9;
const char* knob_title(Knob knob);  // "DRAM bandwidth"
const char* knob_id(Knob knob);     // "dram"

// A factor for each knob; 1: as the device is.
using KnobFactors = std::array<float, kKnobs>;
constexpr KnobFactors unchanged_knobs() {
  KnobFactors factors{};
  for (float& factor : factors) factor = 1;
  return factors;
}
inline constexpr float kLeastFactor = 0.25f, kMostFactor = 4;

struct BoardDevice {
  sm::SmConfig config;
  metrics::SmLimits limits;
};
// Whole numbers (SMs, registers, warps) are rounded and stay above 0. Latencies do not change those of
// dependent arithmetic, which are in the machine code.
BoardDevice turn_knobs(const BoardDevice& device, const KnobFactors& factors);

// "132", "1,980 MHz", "3,960 GB/s": the number behind a knob.
std::string knob_value(const BoardDevice& device, Knob knob);
// Where the device's file has that number from; empty for the limits of an SM.
std::string knob_source(const BoardDevice& device, Knob knob);

}  // namespace gemmscope::experiment
