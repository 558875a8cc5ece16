// Included by inlined.cu.
__device__ inline float scaled(float value, float factor) {
  return __fmul_rn(value, factor);
}

__device__ inline float scaled_twice(float value, float first, float second) {
  const float once = scaled(value, first);
  return scaled(once, second);
}
