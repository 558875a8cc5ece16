#include "constants.cuh"
__device__ inline float helped(float value) {
  return value * kFactor;
}
