// The simplest kernel, with its parameters in the order of the BLAS. Launched by a function of the host.
#include <cuda_runtime.h>

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__global__ void sgemm_naive(int M, int N, int K, float alpha, const float *A, const float *B, float beta,
                            float *C) {
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * N + col];
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

void launch_naive(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  dim3 block(32, 8);
  dim3 grid(CEIL_DIV(N, 32), CEIL_DIV(M, 8));
  sgemm_naive<<<grid, block>>>(M, N, K, alpha, A, B, beta, C);
}
