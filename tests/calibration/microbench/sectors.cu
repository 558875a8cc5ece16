// Loads of some sectors of each line, from L2: nvcc -arch sm_90 -std=c++17 -O3 sectors.cu.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "random_area.cuh"

using Time = long long;
constexpr int kPasses = 256;
constexpr size_t kBytes = size_t{16} << 20;

// 16 bytes a lane, two lanes a sector: of each line the COUNT sectors whose bits MASK has. Four loads in flight a warp.
template <int MASK, int COUNT>
__global__ void __launch_bounds__(1024) load(Time* out, const char* area) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  int sector = 0;
  for (int bit = 0, found = 0; bit < 4; ++bit)
    if (MASK >> bit & 1 && found++ == lane / 2 % COUNT) sector = bit;
  constexpr size_t kSpan = size_t{4} * (16 / COUNT) * 128;  // of a warp in a pass
  const size_t own = lane / 2 / COUNT * 128 + sector * 32 + lane % 2 * 16;
  size_t at = (size_t{1} * blockIdx.x * 1237 * 4096 + warp * kSpan) % kBytes;
  uint32_t sum = 0;
  __syncthreads();
  const Time start = clock64();
  for (int pass = 0; pass < kPasses; ++pass) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      uint32_t x, y, z, w;
      asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                   : "l"(area + at + own + k * (16 / COUNT) * 128)
                   : "memory");
      sum += x ^ y ^ z ^ w;
    }
    at = (at + size_t{1} * warps * kSpan) % kBytes;
  }
  const Time end = clock64();
  if (sum == 0x12345) out[0] = 1;
  if (lane == 0) out[(blockIdx.x * warps + warp) * 2] = start, out[(blockIdx.x * warps + warp) * 2 + 1] = end;
}

Time* out;
char* area;
std::vector<Time> times(132 * 32 * 2);

template <int MASK, int COUNT>
void measure(const char* which) {
  for (int sms : {1, 8, 132}) {
    printf("sectors: %s of each line, %d SMs: cycles a line:", which, sms);
    for (int warps : {8, 32}) {
      for (int i = 0; i < 3; ++i) load<MASK, COUNT><<<sms, warps * 32>>>(out, area);
      cudaMemcpy(times.data(), out, sizeof(Time) * 2 * sms * warps, cudaMemcpyDeviceToHost);
      double sum = 0;
      for (int sm = 0; sm < sms; ++sm) {
        Time first = times[sm * warps * 2], last = 0;
        for (int w = sm * warps; w < (sm + 1) * warps; ++w) first = std::min(first, times[w * 2]), last = std::max(last, times[w * 2 + 1]);
        sum += last - first;
      }
      const double a_line = sum / sms / (kPasses * 4.0 * warps * (16 / COUNT));
      printf(" %d warps %.2f (%.1f bytes a cycle)", warps, a_line, COUNT * 32 / a_line);
    }
    printf("\n");
  }
}

int main() {
  cudaMalloc(&out, times.size() * sizeof(Time));
  area = random_area(kBytes + (1 << 20));
  measure<15, 4>("all four"), measure<3, 2>("two of one half"), measure<5, 2>("one of each half"), measure<1, 1>("one");
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return printf("%s\n", cudaGetErrorString(error)), 1;
}
