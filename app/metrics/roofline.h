// The roofline model, which bounds how fast a kernel can be (Williams, Waterman and Patterson, "Roofline: an
// insightful visual performance model", 2009).
//
// Leaves out: caches. The intensity of `global_bytes` counts what the SMs request from global memory, whether
// a cache or DRAM serves it, so a kernel whose sectors hit a cache can be above the roof of DRAM. The
// intensity of `compulsory_bytes` counts each matrix once, so no kernel can be above (unless a matrix stays
// in L2 from launch to launch). Other ceilings (L2, shared memory, issue) are not drawn.
#pragma once

#include <cstdint>

#include "metrics/counters.h"

namespace gemmscope::metrics {

// FLOP/s in units of 10^12; 0 where either argument is not known (0).
double tflops(double flops, double ms);

struct Roof {
  double peak_flops = 0;        // FLOP/s
  double bytes_per_second = 0;  // of DRAM
  // FLOP/byte at which the two roofs meet: a kernel with less is memory-bound.
  double ridge() const { return bytes_per_second > 0 ? peak_flops / bytes_per_second : 0; }
};
// FLOP/s: the lesser of the peak and intensity x bandwidth.
double attainable_flops(const Roof& roof, double flop_per_byte);

// FLOP/byte; 0 where there are no bytes.
double arithmetic_intensity(double flops, double bytes);

// The exact bytes of all sectors that loads, stores, copies and atomics on global memory move.
uint64_t global_bytes(const CounterSummary& summary);

// Bytes that every GEMM moves: A and B are read once and C is written once; C is also read where beta is not
// 0.
struct GemmBytes {
  int64_t m = 0, n = 0, k = 0;
  double beta = 0;
  uint32_t factor_bytes = 4;  // of an element of A or B; C is float32
};
double compulsory_bytes(const GemmBytes& gemm);

}  // namespace gemmscope::metrics
