// The function unit's approximations (MUFU), of one lane.
//
// Exact for sm_90: the tables were found in recordings of an H200 and give all of its bits, at every recorded
// input (tests/machine/mufu).
// Inaccuracies: the other architectures are taken to have the same tables. Of the exponents that share a
// table not all were recorded with all mantissas.
#pragma once

#include <cstdint>

#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {

// Of a float32, which may stand for a float16 or bfloat16: their result is float32's, cut off to the format.
// Denormals are flushed, except by tanh and in results of float16.
uint32_t mufu_in_format(MufuFunction function, FloatFormat format, uint32_t bits);

// rcp64h and rsq64h: the upper word of a double in and out; code refines it.
uint32_t mufu_double_high(MufuFunction function, uint32_t high);

}  // namespace gemmscope::machine
