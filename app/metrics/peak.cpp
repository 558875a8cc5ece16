#include "metrics/peak.h"

#include "metrics/sm_rates.h"

namespace gemmscope::metrics {
namespace {

double rate(const GpuShape& gpu, double flops_per_clock) {
  return flops_per_clock * gpu.sm_count * gpu.clock_mhz * 1e6;
}

}  // namespace

int fp32_lanes_per_sm(int compute_capability) {
  const SmRates* rates = sm_rates(compute_capability);
  return rates == nullptr ? 0 : rates->fp32;
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
