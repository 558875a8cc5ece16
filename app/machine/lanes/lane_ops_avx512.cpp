// Compiled with AVX-512 if the target is x86-64; elsewhere it is the baseline under another name.
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include <cstdint>

#include "machine/lanes/lane_ops.h"
#include "machine/lanes/mufu.h"

namespace gemmscope::machine {
namespace {
constexpr const char* kLaneOpsName = "AVX-512";
#include "machine/lanes/lane_ops.inc"
}  // namespace
const LaneOps& avx512_lane_ops() { return kTable; }
}  // namespace gemmscope::machine
