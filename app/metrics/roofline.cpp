#include "metrics/roofline.h"

#include <algorithm>

namespace gemmscope::metrics {

double tflops(double flops, double ms) { return ms > 0 ? flops / ms * 1e-9 : 0; }

double attainable_flops(const Roof& roof, double flop_per_byte) {
  return std::min(roof.peak_flops, flop_per_byte * roof.bytes_per_second);
}

double arithmetic_intensity(double flops, double bytes) { return bytes > 0 ? flops / bytes : 0; }

uint64_t l1_bytes(const CounterSummary& summary) {
  const InstructionTraffic& t = summary.traffic;
  const uint64_t sectors = t.global_load.sectors + t.global_store.sectors + t.async_global.sectors +
                           t.global_atomic.sectors + t.global_reduce.sectors + t.local_load.sectors +
                           t.local_store.sectors;
  const uint64_t wavefronts = t.shared_load.wavefronts + t.shared_store.wavefronts +
                              t.matrix_load.wavefronts + t.matrix_store.wavefronts;
  return sectors * kSectorBytes + wavefronts * kWavefrontBytes;
}

double compulsory_bytes(const GemmBytes& gemm) {
  const auto m = static_cast<double>(gemm.m), n = static_cast<double>(gemm.n),
             k = static_cast<double>(gemm.k);
  const double c_times = gemm.beta != 0 ? 2 : 1;
  return gemm.factor_bytes * (m * k + k * n) + c_times * sizeof(float) * m * n;
}

}  // namespace gemmscope::metrics
