#include <cstdint>

#include "machine/lane_ops.h"
#include "machine/mufu.h"

namespace gemmscope::machine {
namespace {
constexpr const char* kLaneOpsName = "baseline x86-64";
#include "machine/lane_ops.inc"
}  // namespace
const LaneOps& baseline_lane_ops() { return kTable; }
}  // namespace gemmscope::machine
