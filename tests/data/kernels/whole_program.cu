// What a first exercise looks like: one file with main, square matrices, everything in it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <iostream>
#include <vector>

#define TILE_WIDTH 16
#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t err = (call);                                                    \
    if (err != cudaSuccess) printf("%s\n", cudaGetErrorString(err)), exit(1);    \
  } while (0)

__global__ void MatrixMulKernel(float *d_M, float *d_N, float *d_P, int Width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH], Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
  float value = 0;
  for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
    Mds[ty][tx] = d_M[row * Width + ph * TILE_WIDTH + tx];
    Nds[ty][tx] = d_N[(ph * TILE_WIDTH + ty) * Width + col];
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) value += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  d_P[row * Width + col] = value;
}

void fill(std::vector<float> &v) {
  for (auto &x : v) x = rand() / static_cast<float>(RAND_MAX);
}

int main(int argc, char **argv) {
  int width = argc > 1 ? atoi(argv[1]) : 512;
  size_t bytes = width * width * sizeof(float);
  std::vector<float> m(width * width), n(width * width), p(width * width);
  fill(m), fill(n);
  float *dm, *dn, *dp;
  CHECK(cudaMalloc(&dm, bytes));
  CHECK(cudaMalloc(&dn, bytes));
  CHECK(cudaMalloc(&dp, bytes));
  CHECK(cudaMemcpy(dm, m.data(), bytes, cudaMemcpyHostToDevice));
  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH, 1);
  dim3 dimGrid(ceil(width / (float)TILE_WIDTH), ceil(width / (float)TILE_WIDTH), 1);
  MatrixMulKernel<<<dimGrid, dimBlock>>>(dm, dn, dp, width);
  CHECK(cudaDeviceSynchronize());
  std::cout << p[0] << std::endl;
  return 0;
}
