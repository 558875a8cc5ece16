// Functions inlined into functions, so that each multiplication has its own factor and its own chain of calls;
// inlined.sm_86.cubin and inlined.sm_90.cubin were made from it. The two kernels number their rows of the line
// table apart.
#include "inlined.cuh"

__device__ inline float of_both(float value) {
  const float product = scaled_twice(value, 3.0f, 5.0f);
  return __fmul_rn(product, 7.0f);
}

extern "C" __global__ void shallow(float* values) {
  values[threadIdx.x] = scaled(values[threadIdx.x], 11.0f);
}

extern "C" __global__ void deep(float* values) {
  float value = values[threadIdx.x];
  value = of_both(value);
  value = scaled(value, 13.0f);
  values[threadIdx.x] = __fmul_rn(value, 17.0f);
}
