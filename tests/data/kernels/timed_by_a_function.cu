// How a benchmark looks: one function times what it is given, a template launches with its own arguments.
#include <cuda_runtime.h>
#include <functional>
#include <string>

template <int THREADS>
__global__ void one_element_each(int M, int N, int K, const float *A, const float *B, float *C) {
  const int element = blockIdx.x * THREADS + threadIdx.x, row = element / N, column = element % N;
  if (row >= M) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
  C[element] = sum;
}

template <typename Kernel, typename... Arguments>
float milliseconds(const std::string &name, Kernel kernel, dim3 grid, dim3 block, Arguments... arguments) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start), cudaEventCreate(&stop);
  cudaEventRecord(start);
  kernel<<<grid, block>>>(arguments...);
  cudaEventRecord(stop);
  float result = 0;
  cudaEventElapsedTime(&result, start, stop);
  return result;
}

template <int THREADS = 64>
float timed(int m, int n, int k, const float *a, const float *b, float *c) {
  const int blocks = (m * n + THREADS - 1) / THREADS;
  return milliseconds("one element each", one_element_each<THREADS>, dim3(blocks), dim3(THREADS), m, n, k, a, b,
                      c);
}

int main() { return timed<96>(512, 512, 512, nullptr, nullptr, nullptr) > 1; }
