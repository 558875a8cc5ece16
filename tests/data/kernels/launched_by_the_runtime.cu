// A class of the host owns the buffers and launches through the runtime's functions; a toolkit that is old
// enough takes the second way.
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>

namespace demo {

template <int BM, int BN, int BK>
__global__ void in_shared_memory(int M, int N, int K, const float *A, const float *B, float *C) {
  extern __shared__ float memory[];
  float *a = memory, *b = memory + BM * BK;
  const int thread = threadIdx.y * BN + threadIdx.x;
  const int row = blockIdx.y * BM + threadIdx.y, column = blockIdx.x * BN + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < K; first += BK) {
    for (int i = thread; i < BM * BK; i += BM * BN) {
      const int r = blockIdx.y * BM + i / BK, k = first + i % BK;
      a[i] = r < M && k < K ? A[r * K + k] : 0;
    }
    for (int i = thread; i < BN * BK; i += BM * BN) {
      const int c = blockIdx.x * BN + i % BN, k = first + i / BN;
      b[i] = c < N && k < K ? B[k * N + c] : 0;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k) sum += a[threadIdx.y * BK + k] * b[k * BN + threadIdx.x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

class Buffer {
 public:
  explicit Buffer(size_t elements) {
    if (cudaMalloc(&data_, elements * sizeof(float)) != cudaSuccess) throw std::runtime_error("no memory");
  }
  ~Buffer() { cudaFree(data_); }
  float *data() const { return data_; }

 private:
  float *data_ = nullptr;
};

class Product {
 public:
  Product(int m, int n, int k) : m_(m), n_(n), k_(k), a_(m * k), b_(k * n), c_(m * n) {}

  void launch(cudaStream_t stream) {
    constexpr int BM = 8, BN = 32, BK = 16;
    const float *a = a_.data(), *b = b_.data();
    float *c = c_.data();
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((n_ + BN - 1) / BN, (m_ + BM - 1) / BM);
    config.blockDim = {BN, BM, 1};
    config.dynamicSmemBytes = (BM + BN) * BK * sizeof(float);
    config.stream = stream;
#if CUDART_VERSION >= 11080
    cudaLaunchKernelEx(&config, in_shared_memory<BM, BN, BK>, m_, n_, k_, a, b, c);
#else
    void *arguments[] = {&m_, &n_, &k_, &a, &b, &c};
    cudaLaunchKernel((void *)in_shared_memory<8, 8, 8>, dim3(1), dim3(8, 8), arguments, 512, stream);
#endif
  }

 private:
  int m_, n_, k_;
  Buffer a_, b_, c_;
};

}  // namespace demo

int main() { std::make_unique<demo::Product>(512, 512, 512)->launch(nullptr); }
