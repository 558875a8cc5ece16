// IEEE arithmetic of the CPU in a rounding mode of its own; compiled with -frounding-math.
#pragma once

#include "machine/lane_ops.h"

namespace gemmscope::machine {

float rounded_add(float a, float b, Rounding mode);
float rounded_multiply(float a, float b, Rounding mode);
float rounded_multiply_add(float a, float b, float c, Rounding mode);

}  // namespace gemmscope::machine
