// IEEE arithmetic of the CPU in a chosen rounding mode; compiled with -frounding-math.
#pragma once

#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {

float rounded_add(float a, float b, Rounding mode);
float rounded_multiply(float a, float b, Rounding mode);
float rounded_multiply_add(float a, float b, float c, Rounding mode);
double rounded_add(double a, double b, Rounding mode);
double rounded_multiply(double a, double b, Rounding mode);
double rounded_multiply_add(double a, double b, double c, Rounding mode);
float rounded_to_float(double x, Rounding mode);
double rounded_whole(double x, Rounding mode);

}  // namespace gemmscope::machine
