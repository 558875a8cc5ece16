// Half-precision factors, sums in float, a result in float.
#include <cuda_fp16.h>
#include <stdint.h>

#define TILE 16

__global__ void hgemm(const half *A, const half *B, float *C, uint32_t M, uint32_t N, uint32_t K) {
  __shared__ half a[TILE][TILE];
  __shared__ half b[TILE][TILE];
  uint32_t row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (uint32_t t = 0; t < (K + TILE - 1) / TILE; ++t) {
    uint32_t ka = t * TILE + threadIdx.x, kb = t * TILE + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = row < M && ka < K ? A[row * K + ka] : __float2half(0.f);
    b[threadIdx.y][threadIdx.x] = kb < K && col < N ? B[kb * N + col] : __float2half(0.f);
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += __half2float(a[threadIdx.y][i]) * __half2float(b[i][threadIdx.x]);
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
