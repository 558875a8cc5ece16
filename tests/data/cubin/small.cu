// A little of everything that a cubin can hold; small.sm_86.cubin and small.sm_90.cubin were made from it.
#include "small.cuh"

__device__ int table[10] = {1, 2, 3};
__device__ int* third = &table[3];
__device__ int zeroes[5];
__constant__ float factors[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__constant__ const int* second = &table[2];

struct Pair {
  double first;
  int second;
};

extern "C" __global__ void __launch_bounds__(128, 2) small(float* out, const float* in, Pair pair, int n) {
  __shared__ float tile[128];
  tile[threadIdx.x] = scaled(in[threadIdx.x]);
  __syncthreads();
  const float sum = tile[(threadIdx.x + n) & 127] + factors[n & 3];
  asm volatile("bar.sync 1;");
  out[threadIdx.x] = sum + static_cast<float>(pair.first * pair.second) + *third + zeroes[n] + *second;
}

extern "C" __global__ void no_parameters() { zeroes[threadIdx.x] = 7; }

extern "C" __global__ void prints(int n) { printf("%d\n", n); }
