// Kernels of run_crossbar.py: nvcc -cubin -arch sm_90. What leaves an SM for L2 and what comes back, of chosen SMs at once.
#include <cstdint>

typedef long long Time;
__device__ __forceinline__ uint32_t special_sm() { uint32_t x; asm volatile("mov.u32 %0, %%smid;" : "=r"(x)); return x; }
__device__ __forceinline__ void load(uint32_t& sum, const char* at) {
  uint32_t x, y, z, w;
  asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(at) : "memory");
  sum += x ^ y ^ z ^ w;
}

// One block an SM. The SMs of the masks store `stores` and load `loads` whole lines in turn, each in 4 MiB of its own; the
// others end. All begin when `expected` of them are there. Start and end by warp, at 64 numbers an SM.
extern "C" __global__ void __launch_bounds__(1024) lines(Time* out, char* area, uint32_t m0, uint32_t m1, uint32_t m2, uint32_t m3, uint32_t m4,
                                                         int expected, int stores, int loads, int passes, int count, int* arrived) {
  const uint32_t sm = special_sm(), masks[5] = {m0, m1, m2, m3, m4};
  uint32_t mask = 0;
  for (int i = 0; i < 5; ++i) mask = sm / 32 == i ? masks[i] : mask;
  if ((mask >> sm % 32 & 1) == 0) return;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < expected) continue;
  }
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  char* const own = area + (int64_t)sm * (4 << 20) + lane * 16;
  uint32_t sum = 0;
  const Time start = clock64();
  for (int pass = 0; pass < passes; ++pass)
    for (int line = warp * 16; line < count; line += warps * 16) {
      char* const at = own + (int64_t)line * 128;
      if (stores > 0)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(at + i * 512), "r"(pass * 7919 + line + lane * 77777) : "memory");
      for (int k = 0; k < loads; ++k)
#pragma unroll
        for (int i = 0; i < 4; ++i) load(sum, at + (1 << 20) * (k + 1) + i * 512);
    }
  const Time end = clock64();
  if (sum == 0x12345677) area[0] = 1;
  if (lane == 0) out[sm * 64 + warp * 2] = start, out[sm * 64 + warp * 2 + 1] = end;
}

// Each warp stores N whole lines in a row: how long it takes to issue them.
#define BURST(N)                                                                                         \
  extern "C" __global__ void __launch_bounds__(1024) burst_##N(Time* out, char* area, int* sink) {       \
    char* const at = area + threadIdx.x / 32 * 16384 + threadIdx.x % 32 * 4;                             \
    __syncthreads();                                                                                     \
    const Time start = clock64();                                                                        \
    _Pragma("unroll") for (int i = 0; i < N; ++i)                                                        \
      asm volatile("st.global.u32 [%0], %1;" ::"l"(at + i * 128), "r"(threadIdx.x * 7919 + i) : "memory"); \
    const Time end = clock64();                                                                          \
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = end - start;                                      \
  }
BURST(1)
BURST(2)
BURST(4)
BURST(8)
BURST(12)
BURST(16)
BURST(24)
BURST(32)
BURST(48)
BURST(64)
