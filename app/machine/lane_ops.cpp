#include "machine/lane_ops.h"

#include <cstdlib>

namespace gemmscope::machine {

const LaneOps& lane_ops() {
  static const LaneOps& chosen = []() -> const LaneOps& {
#ifdef __x86_64__
    const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    if (has_avx2 && std::getenv("GEMMSCOPE_BASELINE") == nullptr) return avx2_lane_ops();
#endif
    return baseline_lane_ops();
  }();
  return chosen;
}

}  // namespace gemmscope::machine
