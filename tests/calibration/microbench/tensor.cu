// HMMAs of a few warps on one SM, alone and with what feeds them: run_tensor.py launches each kernel and says how many cycles of
// a sub-core an HMMA takes. The products go back and forth as in steps 14 and 15.
#include <cuda_pipeline_primitives.h>

template <bool kTf32>
__device__ void multiply_add(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  if constexpr (kTf32)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
enum Kind { kLdsm4, kLdsm4Transposed, kLdsm2, kLdsm1, kLds32, kLds64, kLds128, kSts32, kSts128, kLdg32, kLdg128 };
// Loads or stores words of shared or global memory, each lane its own.
template <Kind kKind>
__device__ void access(unsigned (&w)[4], unsigned address, const char* global) {
  const unsigned lane = threadIdx.x % 32;
  if constexpr (kKind == kLdsm4Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "r"(address + lane * 16));
  else if constexpr (kKind == kLdsm4)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "r"(address + lane * 16));
  else if constexpr (kKind == kLdsm2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "r"(address + lane * 16));
  else if constexpr (kKind == kLdsm1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(w[0]) : "r"(address + lane * 16));
  else if constexpr (kKind == kLds32)
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(w[0]) : "r"(address + lane * 4));
  else if constexpr (kKind == kLds64)
    asm volatile("ld.shared.v2.b32 {%0,%1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "r"(address + lane * 8));
  else if constexpr (kKind == kLds128)
    asm volatile("ld.shared.v4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "r"(address + lane * 16));
  else if constexpr (kKind == kSts32)
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(address + lane * 4), "r"(w[0]));
  else if constexpr (kKind == kSts128)
    asm volatile("st.shared.v4.b32 [%0], {%1,%2,%3,%4};" ::"r"(address + lane * 16), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]));
  else if constexpr (kKind == kLdg32)
    asm volatile("ld.global.b32 %0, [%1];" : "=r"(w[0]) : "l"(global + lane * 4));
  else
    asm volatile("ld.global.v4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(global + lane * 16));
}

__device__ void load_four(unsigned& w0, unsigned& w1, unsigned& w2, unsigned& w3, unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(w0), "=r"(w1), "=r"(w2), "=r"(w3)
               : "r"(address));
}

template <int kRows, int kColumns>
struct Fragments {
  unsigned a[kRows][4], b[kColumns][2];
};

// kLoads: how many of the fragments a step loads, in LDSMs. kBarrier: every four steps. kCopies: of 16 bytes a thread, every
// four steps.
template <bool kTf32, int kRows, int kColumns, int kLoads, bool kBarrier, int kCopies>
__device__ void work(long long* out, int passes, const char* source) {
  extern __shared__ __align__(128) char shared[];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  for (unsigned i = threadIdx.x; i < 49152 / 4; i += blockDim.x) reinterpret_cast<unsigned*>(shared)[i] = 0;
  Fragments<kRows, kColumns> f[2];
  const auto load = [&](Fragments<kRows, kColumns>& to, unsigned step, int count) {
    const unsigned at = base + threadIdx.x % 32 * 16 + step * 4096;
#pragma unroll
    for (int i = 0; i < kRows; ++i)
      if (i < count) load_four(to.a[i][0], to.a[i][1], to.a[i][2], to.a[i][3], at + i * 512);
#pragma unroll
    for (int j = 0; j < kColumns; j += 2)
      if (kRows + j / 2 < count)
        load_four(to.b[j][0], to.b[j][1], to.b[j + 1][0], to.b[j + 1][1], at + 2048 + j * 256);
  };
  float sums[kRows][kColumns][4] = {};
  const auto multiply = [&](const Fragments<kRows, kColumns>& from) {
#pragma unroll
    for (int i = 0; i < kRows; ++i)
#pragma unroll
      for (int n = 0; n < kColumns; ++n) {
        const int j = i % 2 ? kColumns - 1 - n : n;
        multiply_add<kTf32>(sums[i][j], from.a[i], from.b[j]);
      }
  };
  __syncthreads();
  load(f[0], 0, 1000);
  load(f[1], 1, 1000);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int p = 0; p < passes; ++p) {
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      if (kBarrier && step == 3) {
        if (kCopies > 0) __pipeline_wait_prior(1);
        __syncthreads();
      }
      load(f[(step + 1) % 2], step, kLoads);
      if (kCopies > 0 && step == 0) {
#pragma unroll
        for (int c = 0; c < kCopies; ++c)
          __pipeline_memcpy_async(shared + 49152 + (p & 1) * 49152 + c * 4096 + threadIdx.x * 16,
                                  source + (p & 31) * 49152 + c * 4096 + threadIdx.x * 16, 16);
        __pipeline_commit();
      }
      multiply(f[step % 2]);
    }
  }
  const long long end = clock64();
  if (threadIdx.x % 32 == 0 && blockIdx.x == 0) {
    out[threadIdx.x / 32 * 2] = begin;
    out[threadIdx.x / 32 * 2 + 1] = end;
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kRows; ++i)
#pragma unroll
    for (int j = 0; j < kColumns; ++j) sum += sums[i][j][0] + sums[i][j][1] + sums[i][j][2] + sums[i][j][3];
  if (sum == 1.5f) out[1000 + threadIdx.x] = 1;
}

// The same products, and after each eighth one an access whose words nothing reads until the step after the next.
template <Kind kKind, int kEach>
__device__ void beside(long long* out, int passes, const char* source) {
  extern __shared__ __align__(128) char shared[];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  for (unsigned i = threadIdx.x; i < 49152 / 4; i += blockDim.x) reinterpret_cast<unsigned*>(shared)[i] = 0;
  unsigned a[4][4], b[8][2], w[2][8][4] = {};
  __syncthreads();
  for (int i = 0; i < 4; ++i) load_four(a[i][0], a[i][1], a[i][2], a[i][3], base + threadIdx.x % 32 * 16 + i * 512);
  for (int i = 0; i < 8; i += 2)
    load_four(b[i][0], b[i][1], b[i + 1][0], b[i + 1][1], base + threadIdx.x % 32 * 16 + i * 512);
  float sums[4][8][4] = {};
  unsigned kept = 0;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int p = 0; p < passes; ++p) {
#pragma unroll
    for (int step = 0; step < 4; ++step) {
#pragma unroll
      for (int n = 0; n < 32; ++n) {
        const int i = n / 8, j = i % 2 ? 7 - n % 8 : n % 8;
        multiply_add<false>(sums[i][j], a[i], b[j]);
        if (n % kEach == kEach - 1) {
          unsigned(&words)[4] = w[step % 2][n / kEach];
          if (kKind != kSts32 && kKind != kSts128) kept ^= words[0];
          access<kKind>(words, base + n * 512, source + n * 512);
        }
      }
    }
  }
  const long long end = clock64();
  if (threadIdx.x % 32 == 0 && blockIdx.x == 0) {
    out[threadIdx.x / 32 * 2] = begin;
    out[threadIdx.x / 32 * 2 + 1] = end;
  }
  float sum = __uint_as_float(kept);
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += sums[i][j][0] + sums[i][j][1] + sums[i][j][2] + sums[i][j][3];
  if (sum == 1.5f) out[1000 + threadIdx.x] = 1;
}

#define BESIDE(name, ...)                                                                                             \
  extern "C" __global__ void __launch_bounds__(256) name(long long* out, int passes, const char* source) {          \
    beside<__VA_ARGS__>(out, passes, source);                                                                        \
  }
BESIDE(beside_4x8_ldsm_4, kLdsm4, 8)
BESIDE(beside_4x8_ldsm_4_transposed, kLdsm4Transposed, 8)
BESIDE(beside_4x8_ldsm_2, kLdsm2, 8)
BESIDE(beside_4x8_ldsm_1, kLdsm1, 8)
BESIDE(beside_4x8_lds_32, kLds32, 8)
BESIDE(beside_4x8_lds_64, kLds64, 8)
BESIDE(beside_4x8_lds_128, kLds128, 8)
BESIDE(beside_4x8_sts_32, kSts32, 8)
BESIDE(beside_4x8_sts_128, kSts128, 8)
BESIDE(beside_4x8_ldg_32, kLdg32, 8)
BESIDE(beside_4x8_ldg_128, kLdg128, 8)

#define KERNEL(name, ...)                                                                                            \
  extern "C" __global__ void __launch_bounds__(256) name(long long* out, int passes, const char* source) {          \
    work<__VA_ARGS__>(out, passes, source);                                                                          \
  }
KERNEL(bf16_4x8_alone, false, 4, 8, 0, false, 0)
KERNEL(bf16_4x8_barrier, false, 4, 8, 0, true, 0)
KERNEL(bf16_4x8_a_loads, false, 4, 8, 4, false, 0)
KERNEL(bf16_4x8_loads, false, 4, 8, 8, false, 0)
KERNEL(bf16_4x8_loads_barrier, false, 4, 8, 8, true, 0)
KERNEL(bf16_4x8_loads_barrier_copies, false, 4, 8, 8, true, 12)
KERNEL(bf16_4x8_barrier_copies, false, 4, 8, 0, true, 12)
KERNEL(tf32_4x8_alone, true, 4, 8, 0, false, 0)
KERNEL(tf32_4x8_loads, true, 4, 8, 8, false, 0)
KERNEL(tf32_4x8_loads_barrier_copies, true, 4, 8, 8, true, 12)
KERNEL(bf16_2x4_alone, false, 2, 4, 0, false, 0)
KERNEL(bf16_2x4_loads, false, 2, 4, 4, false, 0)
KERNEL(bf16_1x16_alone, false, 1, 16, 0, false, 0)
KERNEL(bf16_4x2_alone, false, 4, 2, 0, false, 0)
