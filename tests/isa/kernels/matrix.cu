// Matrix products of every shape and type, and the loads that feed them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <cstdint>

// One product, with fragments D, A, B and C of the given numbers of 32-bit (or 64-bit) registers. They are
// loaded from memory and stored to it.
#define R1(x, i) "r"(x[i])
#define R2(x, i) R1(x, i), R1(x, i + 1)
#define R4(x, i) R2(x, i), R2(x, i + 2)
#define O1(x, i) "+r"(x[i])
#define O2(x, i) O1(x, i), O1(x, i + 1)
#define O4(x, i) O2(x, i), O2(x, i + 2)
#define O8(x, i) O4(x, i), O4(x, i + 4)
#define P1(n) "{%" #n "}"
#define MMA(NAME, TEXT, ...)                                                  \
  extern "C" __global__ void NAME(uint32_t* p) {                              \
    uint32_t c[8], a[8], b[8];                                                \
    for (int i = 0; i < 8; ++i)                                               \
      c[i] = p[i * 32 + threadIdx.x], a[i] = p[i * 32 + 256 + threadIdx.x], b[i] = p[i * 32 + 512 + threadIdx.x]; \
    asm volatile(TEXT : __VA_ARGS__);                                         \
    for (int i = 0; i < 8; ++i) p[i * 32 + threadIdx.x] = c[i];               \
  }
// c 2 a 2 b 1: "2_2_1" names the numbers of registers of C, A and B.
#define MMA_2_1_1(NAME, T) MMA(NAME, T " {%0,%1},{%2},{%3},{%0,%1};", O2(c, 0) : R1(a, 0), R1(b, 0))
#define MMA_2_2_1(NAME, T) MMA(NAME, T " {%0,%1},{%2,%3},{%4},{%0,%1};", O2(c, 0) : R2(a, 0), R1(b, 0))
#define MMA_4_2_1(NAME, T) MMA(NAME, T " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};", O4(c, 0) : R2(a, 0), R1(b, 0))
#define MMA_2_4_2(NAME, T) MMA(NAME, T " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};", O2(c, 0) : R4(a, 0), R2(b, 0))
#define MMA_4_4_2(NAME, T) MMA(NAME, T " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};", O4(c, 0) : R4(a, 0), R2(b, 0))
#define MMA_4_4_4S(NAME, T) MMA(NAME, T " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%0,%1,%2,%3}, %12, 0x0;", O4(c, 0) : R4(a, 0), R4(b, 0), "r"(a[5]))
#define MMA_4_4_4S1(NAME, T) MMA(NAME, T " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%10,%11},{%0,%1,%2,%3}, %12, 0x1;", O4(c, 0) : R4(a, 0), R4(b, 0), "r"(a[5]))
#define MMA_4_2_2S(NAME, T) MMA(NAME, T " {%0,%1,%2,%3},{%4,%5},{%6,%7},{%0,%1,%2,%3}, %8, 0x0;", O4(c, 0) : R2(a, 0), R2(b, 0), "r"(a[5]))
#define MMA_4_2_2S1(NAME, T) MMA(NAME, T " {%0,%1,%2,%3},{%4,%5},{%6,%7},{%0,%1,%2,%3}, %8, 0x1;", O4(c, 0) : R2(a, 0), R2(b, 0), "r"(a[5]))
#define MMA_2_4_4S(NAME, T) MMA(NAME, T " {%0,%1},{%2,%3,%4,%5},{%6,%7,%8,%9},{%0,%1}, %10, 0x0;", O2(c, 0) : R4(a, 0), R4(b, 0), "r"(a[5]))
#define MMA_2_2_2S1(NAME, T) MMA(NAME, T " {%0,%1},{%2,%3},{%4,%5},{%0,%1}, %6, 0x3;", O2(c, 0) : R2(a, 0), R2(b, 0), "r"(a[5]))

MMA_4_2_1(f16_1688_f32, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
MMA_2_2_1(f16_1688_f16, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16")
MMA_2_1_1(s8_8816, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
MMA_2_1_1(u8_8816, "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32")
MMA_2_1_1(su8_8816, "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32")
MMA_2_1_1(s4_8832, "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32")
MMA_2_1_1(u4_8832, "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.s4.s32")
MMA_2_1_1(b1_xor_88128, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
#define FOUR_884(NAME, L)                                                                                              \
  MMA(NAME##_f32, "mma.sync.aligned.m8n8k4." L ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11},{%0,%1,%2,%3,%4,%5,%6,%7};", O8(c, 0) : R2(a, 0), R2(b, 0)) \
  MMA(NAME##_f16, "mma.sync.aligned.m8n8k4." L ".f16.f16.f16.f16 {%0,%1,%2,%3},{%4,%5},{%6,%7},{%0,%1,%2,%3};", O4(c, 0) : R2(a, 0), R2(b, 0))
FOUR_884(volta_row_col, "row.col")
FOUR_884(volta_col_row, "col.row")
FOUR_884(volta_row_row, "row.row")
FOUR_884(volta_col_col, "col.col")
#if __CUDA_ARCH__ >= 800
MMA_4_4_2(f16_16816_f32, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
MMA_2_4_2(f16_16816_f16, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16")
MMA_4_4_2(bf16_16816, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_4_2_1(bf16_1688, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32")
MMA_4_2_1(tf32_1684, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32")
MMA_4_4_2(tf32_1688, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_4_2_1(s8_16816, "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32")
MMA_4_4_2(s8_16832, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32")
MMA_4_4_2(u8s8_16832, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32")
MMA_4_4_2(s8u8_16832, "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32")
MMA_4_2_1(u4_16832, "mma.sync.aligned.m16n8k32.row.col.s32.u4.u4.s32")
MMA_4_4_2(s4_16864, "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32")
MMA_4_2_1(b1_168128, "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc")
MMA_4_4_2(b1_168256, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc")
MMA_4_4_2(b1x_168256, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
MMA_2_1_1(b1_and_88128, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc")
MMA_4_4_4S(sp_f16_16832, "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32")
MMA_2_4_4S(sp_f16_16832_h, "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16")
MMA_4_4_4S1(sp_bf16_16832, "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32")
MMA_4_2_2S(sp_f16_16816, "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
MMA_2_2_2S1(sp_f16_16816_h, "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16")
MMA_4_2_2S1(sp_bf16_16816, "mma.sp.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_4_2_2S1(sp_tf32_1688, "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_4_4_4S1(sp_tf32_16816, "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32")
MMA_4_4_4S(sp_s8_16864, "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32")
MMA_4_2_2S1(sp_u8_16832, "mma.sp.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32")
MMA_4_4_4S(sp_s4_168128, "mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32")
MMA_4_2_2S(sp_u4_16864, "mma.sp.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32")
#endif
#if __CUDA_ARCH__ >= 890
MMA_4_4_2(e4m3, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
MMA_4_4_2(e5m2, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32")
MMA_4_4_2(e4m3_e5m2, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32")
MMA_2_4_2(e5m2_e4m3_f16, "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16")
MMA_4_2_1(e4m3_16816, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32")
MMA_4_4_4S(sp_e4m3, "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32")
#endif

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void f64_884(double* p) {
  double a = p[threadIdx.x], b = p[threadIdx.x + 32], c = p[threadIdx.x + 64], d = -a;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(c), "+d"(d) : "d"(a), "d"(b));
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.rz.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(c), "+d"(d) : "d"(-a), "d"(b));
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.rp.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(c), "+d"(d) : "d"(a), "d"(fabs(b)));
  p[threadIdx.x] = c + d;
}
#endif
#if __CUDA_ARCH__ >= 900
#define D4(x, i) "d"(x[i]), "d"(x[i + 1]), "d"(x[i + 2]), "d"(x[i + 3])
extern "C" __global__ void f64_larger(double* p) {
  double a[8], b[4], c[4];
  for (int i = 0; i < 8; ++i) a[i] = p[threadIdx.x + 32 * i];
  for (int i = 0; i < 4; ++i) b[i] = p[threadIdx.x + 32 * i + 256], c[i] = p[threadIdx.x + 32 * i + 512];
#define C4 "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : C4 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.rm.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : C4 : D4(a, 0), "d"(b[0]), "d"(b[1]));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};" : C4 : D4(a, 0), D4(a, 4), D4(b, 0));
  for (int i = 0; i < 4; ++i) p[threadIdx.x + 32 * i] = c[i];
}
#endif

extern "C" __global__ void matrix_moves(uint32_t* p, int offset) {
  __shared__ __align__(128) uint32_t s[2048];
  for (int i = threadIdx.x; i < 2048; i += 32) s[i] = p[i];
  __syncthreads();
  uint32_t at = (uint32_t)__cvta_generic_to_shared(s) + threadIdx.x * 16, a, b, c, d, sum = 0;
#define LDSM1(M) asm volatile("ldmatrix.sync.aligned.m8n8.x1" M ".shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at)); sum += a;
#define LDSM2(M) asm volatile("ldmatrix.sync.aligned.m8n8.x2" M ".shared.b16 {%0,%1}, [%2+512];" : "=r"(a), "=r"(b) : "r"(at)); sum += a ^ b;
#define LDSM4(M) asm volatile("ldmatrix.sync.aligned.m8n8.x4" M ".shared.b16 {%0,%1,%2,%3}, [%4+1024];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at + offset)); sum += a ^ b ^ c ^ d;
  LDSM1("") LDSM1(".trans") LDSM2("") LDSM2(".trans") LDSM4("") LDSM4(".trans")
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(a) : "r"(sum));
  sum += a;
#if __CUDA_ARCH__ >= 900
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(sum));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0+64], {%1,%2};" ::"r"(at), "r"(sum), "r"(a));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(at + offset), "r"(sum), "r"(a), "r"(b), "r"(c));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0+-32], {%1,%2,%3,%4};" ::"r"(at + offset), "r"(sum), "r"(a), "r"(b), "r"(c));
#endif
  __syncthreads();
  p[threadIdx.x] = sum + s[threadIdx.x];
}

using namespace nvcuda;
#if __CUDA_ARCH__ >= 800
template <typename T> using Element = std::conditional_t<std::is_same_v<T, float>, wmma::precision::tf32, T>;
#else
template <typename T> using Element = T;
#endif
template <int M, int N, int K, typename T, typename C, typename LA, typename LB>
__device__ void tile_product(const T* a, const T* b, C* c, int n) {
  using F = Element<T>;
  wmma::fragment<wmma::matrix_a, M, N, K, F, LA> x;
  wmma::fragment<wmma::matrix_b, M, N, K, F, LB> y;
  wmma::fragment<wmma::accumulator, M, N, K, C> z;
  wmma::fill_fragment(z, C(0));
  for (int k = 0; k < n; k += K) {
    wmma::load_matrix_sync(x, a + k, n);
    wmma::load_matrix_sync(y, b + k * n, n);
    wmma::mma_sync(z, x, y, z);
  }
  wmma::store_matrix_sync(c, z, n, wmma::mem_row_major);
  wmma::store_matrix_sync(c + 4096, z, n, wmma::mem_col_major);
}
#define WMMA(NAME, M, N, K, T, C)                                                                                         \
  extern "C" __global__ void NAME##_rc(const T* a, const T* b, C* c, int n) { tile_product<M, N, K, T, C, wmma::row_major, wmma::col_major>(a, b, c, n); } \
  extern "C" __global__ void NAME##_cr(const T* a, const T* b, C* c, int n) { tile_product<M, N, K, T, C, wmma::col_major, wmma::row_major>(a, b, c, n); } \
  extern "C" __global__ void NAME##_rr(const T* a, const T* b, C* c, int n) { tile_product<M, N, K, T, C, wmma::row_major, wmma::row_major>(a, b, c, n); }
WMMA(wmma_half, 16, 16, 16, __half, __half)
WMMA(wmma_half_float, 16, 16, 16, __half, float)
WMMA(wmma_half_wide, 8, 32, 16, __half, float)
WMMA(wmma_half_tall, 32, 8, 16, __half, __half)
WMMA(wmma_s8, 16, 16, 16, signed char, int)
WMMA(wmma_u8, 32, 8, 16, unsigned char, int)
#if __CUDA_ARCH__ >= 800
WMMA(wmma_bf16, 16, 16, 16, __nv_bfloat16, float)
WMMA(wmma_bf16_wide, 8, 32, 16, __nv_bfloat16, float)
WMMA(wmma_tf32, 16, 16, 8, float, float)
WMMA(wmma_f64, 8, 8, 4, double, double)
#endif
