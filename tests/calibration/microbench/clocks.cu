// At which clock SMs run that use tensor cores, by how many of them do, how much, and for how long.
// nvcc -arch sm_90 -std=c++17 -O3 clocks.cu
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

using Time = long long;

__device__ __forceinline__ Time nanoseconds() {
  Time t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

// Each warp issues 16 FFMAs a pass and, where its block is one of the first `users`, an HMMA each `every` passes (0: none).
__global__ void __launch_bounds__(256) work(Time* out, int passes, int every, int users) {
  float sums[16] = {}, d[4] = {};
  const uint32_t a = 0x3f803f80u + threadIdx.x;
  const bool uses = every != 0 && static_cast<int>(blockIdx.x) < users;
  __syncthreads();
  const Time from = clock64(), at = nanoseconds();
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (float& sum : sums) asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(sum) : "f"(__uint_as_float(a)));
    if (uses && pass % every == 0)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(a));
  }
  const Time to = clock64(), end = nanoseconds();
  float sum = d[0] + d[1] + d[2] + d[3];
  for (float part : sums) sum += part;
  if (sum == 1.25f) out[0] = 1;
  if (threadIdx.x == 0) out[blockIdx.x * 2] = to - from, out[blockIdx.x * 2 + 1] = end - at;
}

int main() {
  Time* out;
  cudaMalloc(&out, 132 * 2 * sizeof(Time));
  std::vector<Time> times(132 * 2);
  const auto measure = [&](int blocks, int passes, int every, int users) {
    for (int i = 0; i < 20; ++i) work<<<blocks, 256>>>(out, passes, every, users);
    cudaMemcpy(times.data(), out, sizeof(Time) * 2 * blocks, cudaMemcpyDeviceToHost);
    std::vector<double> mhz;
    for (int b = 0; b < blocks; ++b) mhz.push_back(1000.0 * times[b * 2] / times[b * 2 + 1]);
    std::sort(mhz.begin(), mhz.end());
    printf(" %d:%.0f(%.0f..%.0f)", users, mhz[blocks / 2], mhz.front(), mhz.back());
  };
  for (int passes : {300, 3000, 30000}) {
    for (int every : {0, 1, 16, 256}) {
      printf("clocks: %d passes, an HMMA each %d, on so many SMs and no others: MHz", passes, every);
      for (int blocks : {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 132}) measure(blocks, passes, every, blocks);
      printf("\n");
    }
    printf("clocks: %d passes, FFMAs on 132 SMs, an HMMA each pass on so many of them: MHz", passes);
    for (int users : {0, 1, 2, 4, 8, 16, 32, 64, 132}) measure(132, passes, 1, users);
    printf("\n");
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return printf("%s\n", cudaGetErrorString(error)), 1;
}
