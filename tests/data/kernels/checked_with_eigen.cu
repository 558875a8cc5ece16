// A course's file: its program checks the result with Eigen, whose names it uses without their namespace.
#include <Eigen/Core>
#include <cstdio>
#include <omp.h>

__global__ void product(const float *A, const float *B, float *C, float alpha, float beta, unsigned M,
                        unsigned N, unsigned K) {
  unsigned row = threadIdx.y + blockDim.y * blockIdx.y, column = threadIdx.x + blockDim.x * blockIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (unsigned k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  sum *= alpha;
  C[row * N + column] = beta != 0 ? sum + beta * C[row * N + column] : sum;
}

void multiply(const float *A, const float *B, float *C, float alpha, float beta, unsigned M, unsigned N,
              unsigned K) {
  dim3 block(16, 16);
  dim3 grid((N - 1) / block.x + 1, (M - 1) / block.y + 1);
  product<<<grid, block>>>(A, B, C, alpha, beta, M, N, K);
}

using namespace Eigen;

int main() {
  omp_set_num_threads(omp_get_num_procs());
  Matrix<float, Dynamic, Dynamic, RowMajor> A{64, 64}, B{64, 64}, C{64, 64};
  A.setRandom(), B.setRandom();
  multiply(A.data(), B.data(), C.data(), 1.0f, 0.0f, 64, 64, 64);
  printf("%f\n", (A * B - C).cwiseAbs().maxCoeff());
}
