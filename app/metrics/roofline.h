// The roofline model, which bounds how fast a kernel can be (Williams, Waterman and Patterson, "Roofline: an
// insightful visual performance model", 2009).
//
// Each level of memory has a roof of its own, and a kernel belongs under the roof of the level whose bytes
// its intensity counts. The intensity of `l1_bytes` belongs under that of L1 and shared memory, the intensity
// of `compulsory_bytes`, the fewest that DRAM can move, under that of DRAM (unless a matrix stays in L2 from
// launch to launch, no kernel is above it). Bytes between L1 and L2 depend on what L1 holds and so on time:
// the model has them (sm/figures.h). The issue of instructions is no roof here.
#pragma once

#include <cstdint>

#include "metrics/counters.h"

namespace gemmscope::metrics {

// FLOP/s in units of 10^12; 0 where either argument is not known (0).
double tflops(double flops, double ms);

struct Roof {
  double peak_flops = 0;        // FLOP/s
  double bytes_per_second = 0;  // of the level of memory whose bytes count
  // FLOP/byte at which the two roofs meet: a kernel with less is memory-bound.
  double ridge() const { return bytes_per_second > 0 ? peak_flops / bytes_per_second : 0; }
};
// FLOP/s: the lesser of the peak and intensity x bandwidth.
double attainable_flops(const Roof& roof, double flop_per_byte);

// FLOP/byte; 0 where there are no bytes.
double arithmetic_intensity(double flops, double bytes);

// The bytes that the data stage of L1 and shared memory moves: those of the sectors that instructions on
// global and local memory ask for, and 128 for each wavefront of shared memory, since a wavefront takes the
// stage for a cycle whatever part of it is used. An asynchronous copy counts by its sectors alone.
uint64_t l1_bytes(const CounterSummary& summary);
inline constexpr uint64_t kWavefrontBytes = 128;

// Bytes that every GEMM moves: A and B are read once and C is written once; C is also read where beta is not
// 0.
struct GemmBytes {
  int64_t m = 0, n = 0, k = 0;
  double beta = 0;
  uint32_t factor_bytes = 4;  // of an element of A or B; C is float32
};
double compulsory_bytes(const GemmBytes& gemm);

}  // namespace gemmscope::metrics
