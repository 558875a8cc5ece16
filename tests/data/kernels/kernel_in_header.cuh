#pragma once
#include <cuda_runtime.h>
#include <iostream>

inline int blocks_for(int n, int tile) { return (n + tile - 1) / tile; }

inline void report(const char *what) { std::cout << what << cudaGetErrorString(cudaGetLastError()) << std::endl; }

template <int T>
__global__ void tiled(int n, const float *a, const float *b, float *c) {
  __shared__ float sa[T][T], sb[T][T];
  const int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    sa[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
