// Needs include/ as an include folder; FACTOR is a toggle.
#include "helper.cuh"
#ifndef FACTOR
#define FACTOR 1
#endif
extern "C" __global__ void with_include(float* out, const float* in) {
  const float value = helped(in[threadIdx.x]);
  out[threadIdx.x] = value * FACTOR;
}
