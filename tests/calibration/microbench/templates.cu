// Kernels whose runs of FFMAs sass.py overwrites with the instructions under test: nvcc -cubin -arch sm_90, once without
// and once with -DFETCH.
// Each run is found by its length. The sums keep the registers alive; nobody looks at them.
template <int N, int R>
__device__ __forceinline__ void body(float (&r)[R]) {
  if constexpr (N > 512) {
    body<N / 2>(r);
    body<N - N / 2>(r);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(r[i % R]));
  }
}
template <int R>
__device__ __forceinline__ float sum_of(const float (&r)[R]) {
  float sum = 0;
  for (int i = 0; i < R; ++i) sum += r[i];
  return sum;
}

#ifndef FETCH
// Warps whose bit is in mask_a pass run A iters_a times, those in mask_b run B; the others end at once. Times per warp and
// block: start, end, SM and hardware warp slot.
#define STREAMS(NAME, A, B, R, THREADS)                                                                        \
  extern "C" __global__ void __launch_bounds__(THREADS, 1) NAME(long long* out, unsigned mask_a, unsigned mask_b, \
                                                       int iters_a, int iters_b, float* p) {                   \
    __shared__ float shared[4096];                                                                             \
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) shared[i] = 0;                                        \
    __syncthreads();                                                                                           \
    const int warp = threadIdx.x / 32;                                                                         \
    float r[R];                                                                                                \
    for (int i = 0; i < R; ++i) r[i] = 0;                                                                      \
    if (iters_a < 0)                                                                                           \
      for (int i = 0; i < R; ++i) r[i] = p[threadIdx.x + i * 1024];                                            \
    body<24>(r);                                                                                               \
    const bool in_a = (mask_a >> warp) & 1, in_b = (mask_b >> warp) & 1;                                       \
    __syncthreads();                                                                                           \
    long long start = clock64(), end = start;                                                                  \
    if (in_a) {                                                                                                \
      _Pragma("unroll 1") for (int k = 0; k < iters_a; ++k) body<A>(r);                                        \
      end = clock64();                                                                                         \
    } else if (in_b) {                                                                                         \
      _Pragma("unroll 1") for (int k = 0; k < iters_b; ++k) body<B>(r);                                        \
      end = clock64();                                                                                         \
    }                                                                                                          \
    const float sum = sum_of(r) + shared[(threadIdx.x * 7) & 1023];                                            \
    if (sum == 12345.678f) p[0] = sum;                                                                         \
    if (threadIdx.x % 32 == 0) {                                                                               \
      unsigned sm, slot;                                                                                       \
      asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));                                                          \
      asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));                                                      \
      long long* const mine = out + 4 * (blockIdx.x * (blockDim.x / 32) + warp);                               \
      mine[0] = start, mine[1] = end, mine[2] = sm, mine[3] = slot;                                            \
    }                                                                                                          \
  }
STREAMS(streams_512, 512, 448, 64, 512)
STREAMS(streams_1024, 1024, 448, 64, 512)
#else

// Every pass of one long run, timed: warp w starts after w * skew cycles.
#define RUN(N)                                                                                                \
  extern "C" __global__ void __launch_bounds__(512, 1) fetch_##N(long long* out, int passes, int skew, float* p) { \
    const int warp = threadIdx.x / 32;                                                                          \
    float r[64];                                                                                                \
    for (int i = 0; i < 64; ++i) r[i] = 0;                                                                      \
    if (passes < 0)                                                                                             \
      for (int i = 0; i < 64; ++i) r[i] = p[threadIdx.x + i * 1024];                                            \
    __syncthreads();                                                                                            \
    long long* const mine = out + (blockIdx.x * (blockDim.x / 32) + warp) * (passes + 1);                       \
    const long long begin = clock64();                                                                          \
    while (clock64() - begin < (long long)warp * skew) continue;                                                \
    _Pragma("unroll 1") for (int k = 0; k < passes; ++k) {                                                      \
      if (threadIdx.x % 32 == 0) mine[k] = clock64();                                                           \
      body<N>(r);                                                                                               \
    }                                                                                                           \
    if (threadIdx.x % 32 == 0) mine[passes] = clock64();                                                        \
    const float sum = sum_of(r);                                                                                \
    if (sum == 12345.678f) p[0] = sum;                                                                          \
  }
RUN(128)
RUN(256)
RUN(512)
RUN(1024)
RUN(1536)
RUN(2048)
RUN(3072)
RUN(4096)
RUN(6144)
RUN(6656)
RUN(7168)
RUN(7680)
RUN(8192)
RUN(9216)
RUN(10240)
RUN(12288)
RUN(16384)
#endif
