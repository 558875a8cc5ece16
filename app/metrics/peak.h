// The peak FLOP/s of a GPU from its clock, its SMs and the rates per clock in the CUDA Programming Guide and
// in NVIDIA's architecture papers.
#pragma once

#include <string_view>

namespace gemmscope::metrics {

struct GpuShape {
  std::string_view name;       // "NVIDIA H200"
  int compute_capability = 0;  // 90 for 9.0
  int sm_count = 0;
  double clock_mhz = 0;  // of the SMs
};

// Float32 lanes of an SM: 32-bit floating-point add, multiply and multiply-add per clock, from the CUDA C++
// Programming Guide, "Arithmetic Instructions". 0: not known.
int fp32_lanes_per_sm(int compute_capability);

// Dense tensor-core operations with float32 accumulators, FLOP per clock and SM; 0: the format is missing, or
// the rate is not known. From NVIDIA's architecture papers: A100 (156 and 312 TFLOP/s at 108 SMs, 1,410 MHz),
// GA102 (RTX 3090: 35.6 and 71; RTX A6000: 77.4 and 154.8), Ada (RTX 4090: 82.6 and 165.2), H100 (494.7 and
// 989.4 at 132 SMs, 1,830 MHz). GeForce boards accumulate in float32 at half the rate of their chip.
int tf32_flops_per_clock(int compute_capability, std::string_view name);
int bf16_flops_per_clock(int compute_capability, std::string_view name);

// FLOP/s; 0: not known. The float32 peak is 2 x clock x lanes, since a multiply-add is two operations.
double peak_fp32_flops(const GpuShape& gpu);
double peak_tf32_flops(const GpuShape& gpu);
double peak_bf16_flops(const GpuShape& gpu);

}  // namespace gemmscope::metrics
