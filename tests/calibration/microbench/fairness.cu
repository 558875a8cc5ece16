// How evenly the warps of an SM get on: nvcc -arch sm_90 -O3 -std=c++17 -o fairness fairness.cu && ./fairness. Warps access memory
// from a barrier on; printed are the cycles an access of the SM and when each warp ends, as a share of the time of the slowest.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef long long Time;
constexpr int kPasses = 400, kTogether = 8;
enum Kind { lds_32, lds_128, sts_32, stl_32, ldl_32, stl_and_ldl, stg_32, ldg_32 };

template <Kind KIND>
__global__ void __launch_bounds__(1024) access_memory(Time* out, char* area, int frame_words, int* sink) {
  __align__(16) uint32_t frame[1024];
  __shared__ __align__(16) uint32_t words[8192];
  uint32_t base, sum = 0;
  asm volatile("{ .reg .u64 t; cvta.to.local.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(frame));
  const uint32_t wide = (uint32_t)__cvta_generic_to_shared(words) + threadIdx.x % 32 * 16, narrow = wide - threadIdx.x % 32 * 12;
  for (int i = 0; i < frame_words; ++i) asm volatile("st.local.u32 [%0], %1;" ::"r"(base + 4 * i), "r"(threadIdx.x * 7919 + i) : "memory");
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = i * 7919;
  char* const own = area + threadIdx.x / 32 * 16384 + threadIdx.x % 32 * 4;
  __syncthreads();
  const Time start = clock64();
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    const uint32_t local = base + pass * 32 % (frame_words * 4);
    char* const global = own + pass * kTogether % 128 * 128;
    uint32_t x[kTogether] = {}, y = 0, z = 0, w = 0;
#pragma unroll
    for (int i = 0; i < kTogether; ++i) {
      if (KIND == lds_32) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x[i]) : "r"(narrow + i * 128) : "memory");
      if (KIND == lds_128) asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x[i]), "=r"(y), "=r"(z), "=r"(w) : "r"(wide + i * 512) : "memory");
      if (KIND == sts_32) asm volatile("st.shared.u32 [%0], %1;" ::"r"(narrow + i * 128), "r"(sum) : "memory");
      if (KIND == stl_32 || KIND == stl_and_ldl) asm volatile("st.local.u32 [%0], %1;" ::"r"(local + i * 4), "r"(sum) : "memory");
      if (KIND == ldl_32 || KIND == stl_and_ldl) asm volatile("ld.local.u32 %0, [%1];" : "=r"(x[i]) : "r"(local + (i ^ 4) * 4) : "memory");
      if (KIND == stg_32) asm volatile("st.global.u32 [%0], %1;" ::"l"(global + i * 128), "r"(sum) : "memory");
      if (KIND == ldg_32) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x[i]) : "l"(global + i * 128) : "memory");
    }
#pragma unroll
    for (int i = 0; i < kTogether; ++i) sum += x[i];
    sum += y ^ z ^ w;
  }
  const Time end = clock64();
  if (sum == 0x12345677) sink[0] = sum;
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32 * 2] = start, out[threadIdx.x / 32 * 2 + 1] = end;
}

void check(cudaError_t error) {
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error)), exit(1);
}

template <Kind KIND>
void measure(const char* name, const std::vector<int>& frames) {
  static char* area = nullptr;
  static Time* out = nullptr;
  static int* sink = nullptr;
  if (area == nullptr) check(cudaMalloc(&area, 1 << 20)), check(cudaMemset(area, 7, 1 << 20)), check(cudaMalloc(&out, 4096)), check(cudaMalloc(&sink, 4096));
  for (const int warps : {4, 8, 16})
    for (const int frame : frames) {
      for (int k = 0; k < 2; ++k) access_memory<KIND><<<1, warps * 32>>>(out, area, frame, sink);
      check(cudaDeviceSynchronize());
      std::vector<Time> v(warps * 2);
      check(cudaMemcpy(v.data(), out, v.size() * sizeof(Time), cudaMemcpyDeviceToHost));
      Time first = v[0], last = 0;
      for (int w = 0; w < warps; ++w) first = std::min(first, v[2 * w]), last = std::max(last, v[2 * w + 1]);
      printf("%s, %d warps", name, warps);
      if (frame > 0) printf(", frames of %d words", frame);
      printf(": %.3f cycles an access; ends:", double(last - first) / kPasses / kTogether / warps);
      for (int w = 0; w < warps; ++w) printf(" %.2f", double(v[2 * w + 1] - first) / double(last - first));
      printf("\n");
    }
}

int main() {
  measure<lds_32>("LDS.32", {0}), measure<lds_128>("LDS.128", {0}), measure<sts_32>("STS.32", {0});
  measure<stl_32>("STL.32", {32, 128}), measure<ldl_32>("LDL.32", {32, 128}), measure<stl_and_ldl>("STL.32 and LDL.32", {32, 128});
  measure<stg_32>("STG.32", {0}), measure<ldg_32>("LDG.32 from L2", {0});
}
