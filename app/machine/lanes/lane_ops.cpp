#include "machine/lanes/lane_ops.h"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace gemmscope::machine {
namespace {

std::vector<const LaneOps*> find_usable() {
  std::vector<const LaneOps*> usable{&baseline_lane_ops()};
#ifdef __x86_64__
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  const bool avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  if (avx2) usable.push_back(&avx2_lane_ops());
  if (avx2 && avx512) usable.push_back(&avx512_lane_ops());
#endif
  return usable;
}

const LaneOps& choose() {
  const std::span<const LaneOps* const> usable = usable_lane_ops();
  const char* const wish = std::getenv("GEMMSCOPE_BASELINE");
  if (wish == nullptr) return *usable.back();
  return *usable[wish == std::string_view("avx2") && usable.size() > 1 ? 1 : 0];
}

}  // namespace

std::span<const LaneOps* const> usable_lane_ops() {
  static const std::vector<const LaneOps*> usable = find_usable();
  return usable;
}

const LaneOps& lane_ops() {
  static const LaneOps& chosen = choose();
  return chosen;
}

}  // namespace gemmscope::machine
