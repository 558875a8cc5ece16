#pragma once

#include <cstdint>

#include "machine/lane_ops.h"

// The function unit's approximations (MUFU), of one lane.
//
// Exact for sm_90: the tables were found in recordings of an H200 and give all of its bits, at every recorded
// input (tests/machine/mufu).
// Inaccuracies: the other architectures are taken to have the same tables. TANH in [2^-8, 2^-6) and
// [2^-5, 2^-4) was recorded at 2048 inputs a binade, not at all.
namespace gemmscope::machine {

// Of float32. Denormals are flushed, except by tanh.
uint32_t mufu_float32(MufuFunction function, uint32_t bits);

// Of float16 or bfloat16, whose value `bits` is as a float32: what float32's result cut off to the format is.
// Any other format: that result.
uint32_t mufu_in_format(MufuFunction function, FloatFormat format, uint32_t bits);

// rcp64h and rsq64h: the upper word of a double in and out; code refines it.
uint32_t mufu_double_high(MufuFunction function, uint32_t high);

}  // namespace gemmscope::machine
