// Kernels and the macros that launch them, in a header beside the program.
#pragma once

#define ROUND_UP_DIV(a, b) ((a) / (b) + ((a) % (b) != 0))
#define TILE_M 16
#define TILE_N (2 * TILE_M)
#define GRID dim3(ROUND_UP_DIV(N, TILE_N), ROUND_UP_DIV(M, TILE_M))
#define OPERANDS A, B, C, M, N, K
#define KERNEL template <int BK> __global__ void

// TILE(16, 32, 8): the kernel of this tile, with a depth of 8.
#define TILE(BM, BN, ...)                                        \
  do {                                                           \
    dim3 threads(BN, BM);                                        \
    product_##BM##x##BN<__VA_ARGS__><<<GRID, threads>>>(OPERANDS); \
  } while (0)

KERNEL product_16x32(const float *A, const float *B, float *C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k += BK)
    for (int i = k; i < k + BK && i < K; ++i) sum += A[row * K + i] * B[i * N + column];
  C[row * N + column] = sum;
}
