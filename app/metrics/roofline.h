// How fast a kernel can be at most: the roofline model (Williams, Waterman and Patterson, "Roofline: an
// insightful visual performance model", 2009).
//
// Leaves out: caches. The intensity of `global_bytes` counts what the SMs ask of global memory, whether a
// cache or DRAM answers, so a kernel whose sectors hit a cache can lie above the roof of DRAM; that of
// `compulsory_bytes` counts each matrix once, so none can lie above (but for a matrix that stays in L2 from
// launch to launch). Other ceilings (L2, shared memory, issue) are not drawn.
#pragma once

#include <cstdint>

#include "metrics/counters.h"

namespace gemmscope::metrics {

// FLOP/s in units of 10^12; 0 where either is not known.
double tflops(double flops, double ms);

struct Roof {
  double peak_flops = 0;        // FLOP/s
  double bytes_per_second = 0;  // of DRAM
  // FLOP/byte, where the two meet: a kernel with less is bound by memory.
  double ridge() const { return bytes_per_second > 0 ? peak_flops / bytes_per_second : 0; }
};
// FLOP/s: the lesser of the peak and of intensity x bandwidth.
double attainable_flops(const Roof& roof, double flop_per_byte);

// FLOP/byte; 0 where there are no bytes.
double arithmetic_intensity(double flops, double bytes);

// Bytes of all sectors that loads, stores, copies and atomics on global memory move, exact.
uint64_t global_bytes(const CounterSummary& summary);

// Bytes that any GEMM moves: A and B are read and C is written once, and C is read too where beta is not 0.
struct GemmBytes {
  int64_t m = 0, n = 0, k = 0;
  double beta = 0;
  uint32_t factor_bytes = 4;  // of an element of A or B; C is float32
};
double compulsory_bytes(const GemmBytes& gemm);

}  // namespace gemmscope::metrics
