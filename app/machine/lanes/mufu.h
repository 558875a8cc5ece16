// The function unit's approximations (MUFU), for one lane.
//
// Exact for sm_90: the tables were found from recordings of an H200 and give all of its bits at every
// recorded input (tests/machine/mufu).
//
// Inaccuracies: other architectures are assumed to have the same tables. Where several exponents share a
// table, not every exponent was recorded with all mantissas.
#pragma once

#include <cstdint>

#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {

// `bits` is a float32; if `format` is float16 or bfloat16, it is such a value converted to float32, and the
// float32 result is truncated to the format. Denormals are flushed, except by tanh and in results of float16.
uint32_t mufu_in_format(MufuFunction function, FloatFormat format, uint32_t bits);

// rcp64h and rsq64h map the upper word of a double to the upper word of the result; compiled code refines it.
uint32_t mufu_double_high(MufuFunction function, uint32_t high);

}  // namespace gemmscope::machine
