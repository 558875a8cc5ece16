// Stores of parts of sectors: nvcc -arch sm_90 -std=c++17 -O3 stores.cu. Which of them L1 puts together before L2 gets them:
// cycles a store and SM; under Nsight Compute, the bytes that leave the SM (run.sh).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

using Time = long long;
constexpr int kPasses = 64, kOwnPasses = 8;  // a warp's own bytes are walked through again after so many passes

// In each pass a warp stores TURNS times in a row, four bytes a lane, lanes APART words from each other and each store a
// word on. GAP products in a chain lie between two stores.
template <int APART, int TURNS, int GAP>
__global__ void __launch_bounds__(1024) stores(Time* out, char* area) {
  const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  char* const own = area + size_t{1} * warp * kOwnPasses * 128 * APART + lane * APART * 4;
  uint32_t value = threadIdx.x * 7919u + blockIdx.x;
  __syncthreads();
  const Time start = clock64();
  for (int pass = 0; pass < kPasses; ++pass) {
    char* const at = own + pass % kOwnPasses * 128 * APART;
#pragma unroll
    for (int turn = 0; turn < TURNS; ++turn) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(at + turn * 4), "r"(value) : "memory");
#pragma unroll
      for (int k = 0; k < GAP; ++k) asm volatile("mad.lo.u32 %0, %0, %0, 12345;" : "+r"(value));
    }
    value = value * 1664525u + 1013904223u;
  }
  const Time end = clock64();
  if (lane == 0) out[warp * 2] = start, out[warp * 2 + 1] = end;
}

// As the lab: neighbours in one thread.
template <int COARSENING>
__global__ void add(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out, int count) {
  const int first = blockIdx.x * 256 * COARSENING;
#pragma unroll
  for (int n = 0; n < COARSENING; ++n) {
    const int i = first + threadIdx.x * COARSENING + n;
    if (i < count) out[i] = x[i] + y[i];
  }
}

Time* out;
char* area;
std::vector<Time> times(132 * 32 * 2);

template <int APART, int TURNS, int GAP>
void measure() {
  for (int sms : {1, 132}) {
    printf("stores: lanes %d words apart, %d in turn, %d products between them: %d SMs: cycles a store and SM:", APART, TURNS, GAP, sms);
    for (int warps : {1, 4, 16, 32}) {
      for (int i = 0; i < 2; ++i) stores<APART, TURNS, GAP><<<sms, warps * 32>>>(out, area);
      cudaMemcpy(times.data(), out, sizeof(Time) * 2 * sms * warps, cudaMemcpyDeviceToHost);
      double sum = 0, most = 0;
      for (int sm = 0; sm < sms; ++sm) {
        Time first = times[sm * warps * 2], last = 0;
        for (int w = sm * warps; w < (sm + 1) * warps; ++w) first = std::min(first, times[w * 2]), last = std::max(last, times[w * 2 + 1]);
        sum += last - first, most = std::max(most, static_cast<double>(last - first));
      }
      const double each = 1.0 / (kPasses * TURNS * warps);
      printf(" %d warps %.2f", warps, sum / sms * each);
      if (sms > 1) printf(" (slowest %.2f)", most * each);
    }
    printf("\n");
  }
}

int main() {
  cudaMalloc(&out, times.size() * sizeof(Time));
  cudaMalloc(&area, size_t{132} * 32 * kOwnPasses * 128 * 8 + 4096);
  measure<1, 1, 0>(), measure<2, 1, 0>(), measure<4, 1, 0>(), measure<8, 1, 0>();
  measure<2, 2, 0>(), measure<4, 2, 0>(), measure<8, 2, 0>();
  measure<4, 4, 0>(), measure<4, 4, 8>(), measure<4, 4, 32>(), measure<8, 8, 0>(), measure<8, 8, 8>(), measure<8, 8, 32>();
  const int count = 1 << 20;
  std::vector<float> random(count);
  std::mt19937 generator(1);
  for (float& value : random) value = std::uniform_real_distribution<float>(-1, 1)(generator);
  float* const x = reinterpret_cast<float*>(area);
  for (int i = 0; i < 2; ++i) cudaMemcpy(x + i * count, random.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  for (int i = 0; i < 2; ++i) {
    add<1><<<count / 256, 256>>>(x, x + count, x + 2 * count, count);
    add<2><<<count / 512, 256>>>(x, x + count, x + 2 * count, count);
    add<4><<<count / 1024, 256>>>(x, x + count, x + 2 * count, count);
    add<8><<<count / 2048, 256>>>(x, x + count, x + 2 * count, count);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return printf("%s\n", cudaGetErrorString(error)), 1;
}
