// Packed and single half and bfloat16 arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
template <typename T2>
__device__ void pairs(T2* x, int n) {
  T2 a = x[threadIdx.x], b = x[threadIdx.x + n], c = x[threadIdx.x + 2 * n];
  T2* o = x + threadIdx.x + 4096;
  int k = 0;
#define PUT(E) o[32 * k++] = (E);
  PUT(__hadd2(a, b)) PUT(__hsub2(a, b)) PUT(__hmul2(a, b)) PUT(__hfma2(a, b, c)) PUT(__hneg2(a)) PUT(__habs2(b)) PUT(__hadd2_sat(a, b)) PUT(__hmul2_sat(a, b)) PUT(__hfma2_sat(a, b, c))
  PUT(__hadd2_rn(a, b)) PUT(__hmul2_rn(a, b)) PUT(__hsub2_sat(a, __habs2(c))) PUT(__hfma2(__hneg2(a), b, __hneg2(c)))
  PUT(__heq2(a, b)) PUT(__hne2(a, b)) PUT(__hlt2(a, b)) PUT(__hge2(a, b)) PUT(__hgtu2(a, b)) PUT(__hleu2(a, b)) PUT(__hequ2(a, b)) PUT(__hltu2(a, b)) PUT(__hneu2(a, b)) PUT(__hisnan2(a))
  PUT(__hmax2(a, b)) PUT(__hmin2(a, b)) PUT(__hmax2_nan(a, b)) PUT(__hmin2_nan(a, b)) PUT(__hfma2_relu(a, b, c))
  PUT(h2exp(a)) PUT(h2log(b)) PUT(h2sqrt(a)) PUT(h2rsqrt(b)) PUT(h2rcp(a)) PUT(h2sin(c)) PUT(h2cos(c)) PUT(h2exp2(a)) PUT(h2log2(b)) PUT(h2exp10(b)) PUT(h2log10(a)) PUT(h2rint(a)) PUT(h2floor(b)) PUT(h2ceil(a)) PUT(h2trunc(c)) PUT(__h2div(a, b)) PUT(h2tanh(a)) PUT(h2tanh_approx(b))
  PUT(__lowhigh2highlow(a)) PUT(__lows2halfwords(a, b))
  unsigned* u = (unsigned*)o + 9999;
  u[0] = __hbeq2(a, b) + 2 * __hbne2(a, c) + 4 * __hblt2(a, b) + 8 * __hbgtu2(b, c) + 16 * __hbge2(a, c) + __hbleu2(a, b);
  u[1] = __heq2_mask(a, b) ^ __hlt2_mask(b, c) ^ __hgeu2_mask(a, c);
  T2 s = a;
  for (int i = 0; i < n; ++i) s = __hfma2(x[i], s, x[i + 64]);
  PUT(s)
}
__device__ __half2 __lows2halfwords(__half2 a, __half2 b) { return __lows2half2(a, b); }
__device__ __nv_bfloat162 __lows2halfwords(__nv_bfloat162 a, __nv_bfloat162 b) { return __lows2bfloat162(a, b); }
template <typename T, typename T2>
__device__ void singles(T* x, T2* y, int n) {
  T a = x[threadIdx.x], b = x[threadIdx.x + n], c = x[threadIdx.x + 2 * n];
  T* o = x + threadIdx.x + 4096;
  int k = 0;
  PUT(__hadd(a, b)) PUT(__hsub(a, b)) PUT(__hmul(a, b)) PUT(__hfma(a, b, c)) PUT(__hneg(a)) PUT(__habs(b)) PUT(__hadd_sat(a, b)) PUT(__hfma_sat(a, b, c)) PUT(__hdiv(a, b)) PUT(hsqrt(a)) PUT(hexp(b)) PUT(hlog(c)) PUT(hsin(a)) PUT(hcos(b)) PUT(hrcp(a)) PUT(hrint(b)) PUT(htrunc(c))
  PUT(__hmax(a, b)) PUT(__hmin_nan(a, b)) PUT(__hfma_relu(a, b, c)) PUT(htanh(c)) PUT(hfloor(a))
  if (__heq(a, b)) PUT(c)
  if (__hgtu(a, c) || __hisinf(b)) PUT(b)
  if (__hlt(a, c) && !__hisnan(b)) PUT(a)
  T s = a;
  for (int i = 0; i < n; ++i) s = s * x[i] + T(1.5f), s = s > c ? s - b : s + y[i].x * y[i].y;
  PUT(s)
  float f = (float)a + (float)b;
  int* q = (int*)o + 9999;
  q[0] = (int)a, q[1] = (unsigned)b, q[2] = (int)f, q[3] = (short)(float)c;
  PUT(T(f)) PUT(T(n)) PUT(T((float)n * 0.25f))
}
extern "C" __global__ void half_pairs(__half2* x, int n) { pairs(x, n); }
extern "C" __global__ void half_singles(__half* x, int n) { singles(x, (__half2*)x, n); }
extern "C" __global__ void half_integers(__half* x, int* i, long long* l, short* s, unsigned char* c) {
  const int t = threadIdx.x;
  x[t] = __int2half_rn(i[t]), x[t + 32] = __uint2half_rz(i[t]), x[t + 64] = __ll2half_rn(l[t]), x[t + 96] = __short2half_ru(s[t]), x[t + 128] = __double2half(l[t]);
  i[t] = __half2int_rn(x[t + 200]), i[t + 32] = __half2uint_rd(x[t + 201]), l[t] = __half2ll_rz(x[t + 203]), s[t] = __half2short_ru(x[t + 204]), c[t] = __half2uchar_rz(x[t + 205]);
  i[t + 64] = __half_as_short(x[t + 206]) + __half_as_ushort(__hmul(x[t + 207], __float2half_rd(2.5f)));
}
extern "C" __global__ void half_constants(__half2* x) {
  __half2 a = x[threadIdx.x];
  x[threadIdx.x + 32] = __hfma2(a, __floats2half2_rn(1.5f, -0.25f), __floats2half2_rn(65504.f, 6e-8f));
  x[threadIdx.x + 64] = __hmul2(a, __float2half2_rn(3.f)), x[threadIdx.x + 96] = __hadd2(a, __float2half2_rn(-7.f));
  x[threadIdx.x + 128] = __hgt2(a, __float2half2_rn(0.1f)), x[threadIdx.x + 160] = __hmul2(__low2half2(a), __high2half2(a)), x[threadIdx.x + 192] = __hfma2(__low2half2(a), a, __high2half2(a));
}
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
extern "C" __global__ void bf16_pairs(__nv_bfloat162* x, int n) { pairs(x, n); }
extern "C" __global__ void bf16_singles(__nv_bfloat16* x, int n) { singles(x, (__nv_bfloat162*)x, n); }
#define P3(T) asm volatile(T " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s ^= d;
#define P4(T) asm volatile(T " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(s)); s ^= d;
#define P2(T) asm volatile(T " %0, %1;" : "=r"(d) : "r"(a)); s ^= d;
extern "C" __global__ void half_ptx(unsigned* x) {
  unsigned a = x[threadIdx.x], b = x[threadIdx.x + 32], s = 0, d;
  P3("min.f16x2") P3("max.f16x2") P3("min.NaN.f16x2") P3("max.NaN.f16x2") P3("min.ftz.f16x2") P3("max.ftz.NaN.f16x2")
  P3("min.bf16x2") P3("max.NaN.bf16x2") P4("fma.rn.bf16x2") P4("fma.rn.relu.bf16x2") P4("fma.rn.ftz.f16x2") P4("fma.rn.ftz.sat.f16x2") P4("fma.rn.ftz.relu.f16x2") P4("fma.rn.relu.f16x2")
  P3("add.ftz.f16x2") P3("mul.ftz.sat.f16x2") P3("sub.ftz.f16x2") P2("neg.f16x2") P2("abs.bf16x2") P2("neg.bf16x2") P2("ex2.approx.f16x2") P2("tanh.approx.f16x2") 
  asm volatile("{.reg .pred p,q; setp.lt.f16x2 p|q, %1, %2; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 5;}" : "=r"(d) : "r"(a), "r"(b)); s ^= d;
  asm volatile("{.reg .pred p,q,r; setp.ne.u32 r, %1, 0; setp.geu.or.ftz.f16x2 p|q, %1, %2, r; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 5;}" : "=r"(d) : "r"(a), "r"(b)); s ^= d;
#if __CUDA_ARCH__ >= 860
  P3("min.xorsign.abs.f16x2") P3("max.NaN.xorsign.abs.f16x2") P3("max.xorsign.abs.bf16x2")
#endif
#if __CUDA_ARCH__ >= 900
  P3("add.rn.bf16x2") P3("mul.rn.bf16x2") P3("sub.rn.bf16x2") P2("ex2.approx.ftz.bf16x2") P2("tanh.approx.bf16x2")
  asm volatile("{.reg .pred p,q; setp.lt.bf16x2 p|q, %1, %2; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 5;}" : "=r"(d) : "r"(a), "r"(b)); s ^= d;
  asm volatile("set.gt.f16x2.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s ^= d;
  asm volatile("set.le.bf16x2.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s ^= d;
#endif
  x[threadIdx.x] = s;
}
#endif
