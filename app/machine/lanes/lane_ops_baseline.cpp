#include <cstdint>

#include "machine/lanes/lane_ops.h"
#include "machine/lanes/mufu.h"

namespace gemmscope::machine {
namespace {
constexpr const char* kLaneOpsName = "baseline x86-64";
#include "machine/lanes/lane_ops.inc"
}  // namespace
const LaneOps& baseline_lane_ops() { return kTable; }
}  // namespace gemmscope::machine
