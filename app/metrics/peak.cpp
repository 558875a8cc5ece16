#include "metrics/peak.h"

#include <algorithm>
#include <array>

namespace gemmscope::metrics {
namespace {

struct Lanes {
  int compute_capability, lanes;
};
constexpr std::array kLanes = {
    Lanes{10, 8},    Lanes{11, 8},    Lanes{12, 8},    Lanes{13, 8},    Lanes{20, 32},  Lanes{21, 48},
    Lanes{30, 192},  Lanes{32, 192},  Lanes{35, 192},  Lanes{37, 192},  Lanes{50, 128}, Lanes{52, 128},
    Lanes{53, 128},  Lanes{60, 64},   Lanes{61, 128},  Lanes{62, 128},  Lanes{70, 64},  Lanes{72, 64},
    Lanes{75, 64},   Lanes{80, 64},   Lanes{86, 128},  Lanes{87, 128},  Lanes{89, 128}, Lanes{90, 128},
    Lanes{100, 128}, Lanes{103, 128}, Lanes{110, 128}, Lanes{120, 128}, Lanes{121, 128}};

double rate(const GpuShape& gpu, double flops_per_clock) {
  return flops_per_clock * gpu.sm_count * gpu.clock_mhz * 1e6;
}

}  // namespace

int fp32_lanes_per_sm(int compute_capability) {
  const auto found = std::find_if(kLanes.begin(), kLanes.end(), [&](const Lanes& entry) {
    return entry.compute_capability == compute_capability;
  });
  return found == kLanes.end() ? 0 : found->lanes;
}

int bf16_flops_per_clock(int compute_capability, std::string_view name) {
  switch (compute_capability) {
    case 80:
      return 2048;
    case 86:
    case 89:
      return name.find("GeForce") != std::string_view::npos ? 512 : 1024;
    case 90:
      return 4096;
    default:
      return 0;
  }
}

int tf32_flops_per_clock(int compute_capability, std::string_view name) {
  return bf16_flops_per_clock(compute_capability, name) / 2;
}

double peak_fp32_flops(const GpuShape& gpu) {
  return rate(gpu, 2.0 * fp32_lanes_per_sm(gpu.compute_capability));
}
double peak_tf32_flops(const GpuShape& gpu) {
  return rate(gpu, tf32_flops_per_clock(gpu.compute_capability, gpu.name));
}
double peak_bf16_flops(const GpuShape& gpu) {
  return rate(gpu, bf16_flops_per_clock(gpu.compute_capability, gpu.name));
}

}  // namespace gemmscope::metrics
