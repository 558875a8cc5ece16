// Which lines L1 keeps: nvcc -arch sm_90 -O3 -std=c++17 -o l1 l1.cu && ./l1. One warp walks over lines of global or of local
// memory, pass after pass, and times each load; a load below kHit cycles has hit.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef long long Time;
constexpr int kPasses = 12, kHit = 150, kMostLines = 2560;

__device__ __forceinline__ unsigned short since(Time start, uint32_t sum) {
  asm volatile("" ::"r"(sum) : "memory");  // the load is there
  return (unsigned short)min(60000ll, clock64() + (sum & 1) - start);
}

__global__ void walk_global(const char* p, int count, unsigned short* cycles, int* sink) {
  uint32_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass)
    for (int i = 0; i < count; ++i) {
      uint32_t x;
      const Time start = clock64();
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(p + (size_t)i * 128) : "memory");
      sum += x;
      cycles[(size_t)pass * count + i] = since(start, sum);
    }
  if (sum == 0x12345677) sink[0] = sum;
}

// Each word of a thread's frame is a line of its warp. with_stores: each pass stores all lines first.
__global__ void walk_local(int count, bool with_stores, unsigned short* cycles, int* sink) {
  __align__(16) uint32_t frame[kMostLines];
  uint32_t base, sum = 0;
  asm volatile("{ .reg .u64 t; cvta.to.local.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(frame));
  for (int pass = -1; pass < kPasses; ++pass) {
    if (pass < 0 || with_stores)
      for (int i = 0; i < count; ++i)
        asm volatile("st.local.u32 [%0], %1;" ::"r"(base + 4 * i), "r"(i * 77777u + threadIdx.x * 2 + pass * 2) : "memory");
    if (pass < 0) continue;
    for (int i = 0; i < count; ++i) {
      uint32_t x;
      const Time start = clock64();
      asm volatile("ld.local.u32 %0, [%1];" : "=r"(x) : "r"(base + 4 * i) : "memory");
      sum += x;
      const unsigned short taken = since(start, sum);
      if (threadIdx.x == 0) cycles[(size_t)pass * count + i] = taken;
    }
  }
  if (sum == 0x12345677) sink[0] = sum;
}

void check(cudaError_t error) {
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error)), exit(1);
}

std::vector<unsigned short> taken(const unsigned short* cycles, int count) {
  check(cudaDeviceSynchronize());
  std::vector<unsigned short> v((size_t)count * kPasses);
  check(cudaMemcpy(v.data(), cycles, v.size() * 2, cudaMemcpyDeviceToHost));
  return v;
}

void print_hits(const char* what, int carve_out, int count, const unsigned short* cycles) {
  const auto v = taken(cycles, count);
  printf("%s carve %d %%, %d lines (%d KiB): hits %% by pass:", what, carve_out, count, count / 8);
  for (int pass = 0; pass < kPasses; ++pass)
    printf(" %.0f", 100.0 / count * std::count_if(v.begin() + pass * count, v.begin() + (pass + 1) * count, [](int c) { return c < kHit; }));
  printf("\n");
}

int main() {
  char* p;
  unsigned short* cycles;
  int* sink;
  check(cudaMalloc(&p, 1 << 20)), check(cudaMemset(p, 0, 1 << 20)), check(cudaMalloc(&cycles, 1 << 20)), check(cudaMalloc(&sink, 64));
  for (const int carve_out : {-1, 25, 50}) {
    check(cudaFuncSetAttribute(walk_global, cudaFuncAttributePreferredSharedMemoryCarveout, carve_out));
    check(cudaFuncSetAttribute(walk_local, cudaFuncAttributePreferredSharedMemoryCarveout, carve_out));
    for (const int count : {512, 768, 1024, 1152, 1280, 1408, 1536, 1600, 1664, 1728, 1792, 1856, 1920, 1984, 2048, 2176, 2304, kMostLines}) {
      walk_global<<<1, 1>>>(p, count, cycles, sink), print_hits("global", carve_out, count, cycles);
      if (count < 1024) continue;
      walk_local<<<1, 32>>>(count, false, cycles, sink), print_hits("local loads", carve_out, count, cycles);
      walk_local<<<1, 32>>>(count, true, cycles, sink), print_hits("local stores and loads", carve_out, count, cycles);
    }
  }
  // Which of 2048 lines hit in the ninth pass, a letter a line.
  check(cudaFuncSetAttribute(walk_global, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
  walk_global<<<1, 1>>>(p, 2048, cycles, sink);
  const auto v = taken(cycles, 2048);
  printf("map: ");
  for (int i = 0; i < 2048; ++i) putchar(v[8 * 2048 + i] < kHit ? '#' : '.');
  printf("\n");
}
