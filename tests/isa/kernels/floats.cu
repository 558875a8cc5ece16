// float and double arithmetic, functions and comparisons.
#include <cuda_runtime.h>
#include <cstdint>
#define PUT(E) o[32 * k++] = (E);
#define F2(T) asm volatile(T " %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b)); s += d;
#define F2I(T) asm volatile(T " %0, %1, 0f40490fdb;" : "=f"(d) : "f"(a)); s += d;
#define F1(T) asm volatile(T " %0, %1;" : "=f"(d) : "f"(a)); s += d;
#define F3(T) asm volatile(T " %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c)); s += d;
#define ROUND2(OP) F2(OP ".rn.f32") F2(OP ".rz.f32") F2(OP ".rm.f32") F2(OP ".rp.f32") F2(OP ".rn.ftz.f32") F2(OP ".rz.ftz.sat.f32") F2(OP ".rn.sat.f32") F2I(OP ".rn.f32")
extern "C" __global__ void float_ptx(float* x, float u) {
  float a = x[threadIdx.x], b = x[threadIdx.x + 32], c = x[threadIdx.x + 64], d, s = u;
  ROUND2("add") ROUND2("sub") ROUND2("mul")
  F3("fma.rn.f32") F3("fma.rz.f32") F3("fma.rm.ftz.f32") F3("fma.rp.sat.f32") F3("fma.rn.ftz.sat.f32")
  F2("div.rn.f32") F2("div.rz.f32") F2("div.rm.ftz.f32") F2("div.rp.f32") F2("div.approx.f32") F2("div.full.f32") F2("div.approx.ftz.f32") F2("div.full.ftz.f32")
  F1("rcp.rn.f32") F1("rcp.rz.f32") F1("rcp.approx.f32") F1("rcp.approx.ftz.f32") F1("rcp.rn.ftz.f32") F1("sqrt.rn.f32") F1("sqrt.rp.f32") F1("sqrt.approx.f32") F1("sqrt.approx.ftz.f32") F1("rsqrt.approx.f32") F1("rsqrt.approx.ftz.f32") F1("sin.approx.f32") F1("cos.approx.ftz.f32") F1("lg2.approx.f32") F1("ex2.approx.f32") F1("ex2.approx.ftz.f32") F1("lg2.approx.ftz.f32") F1("tanh.approx.f32") F1("abs.f32") F1("neg.ftz.f32") F1("abs.ftz.f32")
  F2("min.f32") F2("max.f32") F2("min.ftz.f32") F2I("max.f32") F2("copysign.f32")
#if __CUDA_ARCH__ >= 800
  F2("min.NaN.f32") F2("max.ftz.NaN.f32")
#endif
#if __CUDA_ARCH__ >= 860
  F2("min.xorsign.abs.f32") F2("max.NaN.xorsign.abs.f32") F2("min.ftz.NaN.xorsign.abs.f32")
#endif
  uint32_t i;
#define CMP(OP) asm volatile("{.reg .pred p; setp." OP ".f32 p, %1, %2; selp.u32 %0, 1, 0, p;}" : "=r"(i) : "f"(a), "f"(b)); s += i;
  CMP("eq") CMP("ne") CMP("lt") CMP("le") CMP("gt") CMP("ge") CMP("equ") CMP("neu") CMP("ltu") CMP("leu") CMP("gtu") CMP("geu") CMP("num") CMP("nan") CMP("lt.ftz")
  asm volatile("{.reg .pred p,q,r; setp.ne.f32 r, %1, 0f00000000; setp.gt.xor.f32 p|q, %1, %2, r; setp.lt.or.ftz.f32 r, %1, %2, !q; selp.u32 %0, 1, 0, p; @r add.u32 %0, %0, 4;}" : "=r"(i) : "f"(a), "f"(b)); s += i;
  asm volatile("set.lt.u32.f32 %0, %1, %2;" : "=r"(i) : "f"(a), "f"(b)); s += i;
  asm volatile("set.geu.ftz.f32.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b)); s += d;
  asm volatile("{.reg .pred p; setp.lt.s32 p, %3, 9; set.lt.and.f32.f32 %0, %1, %2, p;}" : "=f"(d) : "f"(a), "f"(b), "r"(i)); s += d;
  asm volatile("{.reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; testp.subnormal.f32 p, %1; @p add.u32 %0, %0, 2; testp.normal.f32 p, %1; @p add.u32 %0, %0, 2; testp.notanumber.f32 p, %1; @p add.u32 %0, %0, 2;}" : "=r"(i) : "f"(a)); s += i;
  asm volatile("slct.f32.s32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "r"(i)); s += d;
  asm volatile("slct.ftz.f32.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c)); s += d;
  x[threadIdx.x] = s;
}
extern "C" __global__ void float_functions(float* x, int n) {
  const float a = x[threadIdx.x], b = x[threadIdx.x + 32], c = x[threadIdx.x + 64];
  float* o = x + 96 + threadIdx.x;
  int k = 0, e;
  float p, q;
  PUT(sinf(a)) PUT(cosf(b)) PUT(tanf(c)) PUT(expf(a)) PUT(exp2f(a)) PUT(exp10f(a)) PUT(expm1f(b)) PUT(logf(a)) PUT(log2f(b)) PUT(log10f(c)) PUT(log1pf(a)) PUT(powf(a, b)) PUT(sqrtf(a)) PUT(rsqrtf(b)) PUT(cbrtf(c)) PUT(rcbrtf(c)) PUT(hypotf(a, b)) PUT(erff(a)) PUT(erfcf(b)) PUT(erfinvf(c)) PUT(erfcinvf(c)) PUT(erfcxf(a)) PUT(tgammaf(a)) PUT(lgammaf(b)) PUT(fmodf(a, b)) PUT(remainderf(a, b)) PUT(remquof(a, c, &e)) PUT(asinf(a)) PUT(acosf(b)) PUT(atanf(c)) PUT(atan2f(a, b)) PUT(sinhf(a)) PUT(coshf(b)) PUT(tanhf(c)) PUT(asinhf(a)) PUT(acoshf(b)) PUT(atanhf(c)) PUT(sinpif(a)) PUT(cospif(b)) PUT(j0f(a)) PUT(y1f(b)) PUT(normcdff(a)) PUT(normcdfinvf(b)) PUT(ldexpf(a, n)) PUT(frexpf(b, &e)) PUT(modff(c, &p)) PUT(scalbnf(a, n)) PUT(logbf(b)) PUT(ilogbf(c)) PUT(nearbyintf(a)) PUT(rintf(b)) PUT(roundf(c)) PUT(truncf(a)) PUT(floorf(b)) PUT(ceilf(c)) PUT(lroundf(a)) PUT(llrintf(b)) PUT(fdimf(a, b)) PUT(fmaf(a, b, c)) PUT(nextafterf(a, b)) PUT(copysignf(a, b)) PUT(norm3df(a, b, c)) PUT(rnorm3df(a, b, c)) PUT(jnf(3, a)) PUT(cyl_bessel_i0f(a))
  sincosf(a, &p, &q);
  PUT(p + q)
  PUT(__sinf(a)) PUT(__expf(a)) PUT(__logf(b)) PUT(__powf(a, b)) PUT(__fdividef(a, b)) PUT(__frcp_rn(a)) PUT(__fsqrt_rz(b)) PUT(__tanf(c)) PUT(__fmaf_ieee_rn(a, b, c)) PUT(__saturatef(a)) PUT(__frsqrt_rn(a)) PUT(a / b) PUT(1.f / c) PUT(a / 3.f)
  PUT(isnan(a) + isinf(b) + signbit(c) + isfinite(a)) PUT((float)e)
}
#define D2(T) asm volatile(T " %0, %1, %2;" : "=d"(d) : "d"(a), "d"(b)); s += d;
#define D1(T) asm volatile(T " %0, %1;" : "=d"(d) : "d"(a)); s += d;
#define D3(T) asm volatile(T " %0, %1, %2, %3;" : "=d"(d) : "d"(a), "d"(b), "d"(c)); s += d;
extern "C" __global__ void double_ptx(double* x, double u) {
  double a = x[threadIdx.x], b = x[threadIdx.x + 32], c = x[threadIdx.x + 64], d, s = u;
#define ROUNDD(OP) D2(OP ".rn.f64") D2(OP ".rz.f64") D2(OP ".rm.f64") D2(OP ".rp.f64")
  ROUNDD("add") ROUNDD("sub") ROUNDD("mul") ROUNDD("div") D3("fma.rn.f64") D3("fma.rz.f64") D3("fma.rm.f64") D3("fma.rp.f64") D1("rcp.rn.f64") D1("rcp.rp.f64") D1("rcp.approx.ftz.f64") D1("sqrt.rn.f64") D1("sqrt.rz.f64") D1("rsqrt.approx.f64") D1("rsqrt.approx.ftz.f64") D1("abs.f64") D1("neg.f64") D2("min.f64") D2("max.f64") D2("copysign.f64")
  uint32_t i;
#define CMPD(OP) asm volatile("{.reg .pred p; setp." OP ".f64 p, %1, %2; selp.u32 %0, 1, 0, p;}" : "=r"(i) : "d"(a), "d"(b)); s += i;
  CMPD("eq") CMPD("ne") CMPD("lt") CMPD("le") CMPD("gt") CMPD("ge") CMPD("equ") CMPD("neu") CMPD("ltu") CMPD("leu") CMPD("gtu") CMPD("geu") CMPD("num") CMPD("nan")
  x[threadIdx.x] = s * 3.0 + 1e300 - a * 0.1 + (b > 2.5 ? a : fabs(c) * -b);
}
extern "C" __global__ void double_functions(double* x, int n) {
  const double a = x[threadIdx.x], b = x[threadIdx.x + 32], c = x[threadIdx.x + 64];
  double* o = x + 96 + threadIdx.x;
  int k = 0, e;
  double p, q;
  PUT(sin(a)) PUT(cos(b)) PUT(tan(c)) PUT(exp(a)) PUT(exp2(a)) PUT(exp10(b)) PUT(expm1(b)) PUT(log(a)) PUT(log2(b)) PUT(log10(c)) PUT(log1p(a)) PUT(pow(a, b)) PUT(sqrt(a)) PUT(rsqrt(b)) PUT(cbrt(c)) PUT(hypot(a, b)) PUT(erf(a)) PUT(erfc(b)) PUT(erfinv(c)) PUT(tgamma(a)) PUT(lgamma(b)) PUT(fmod(a, b)) PUT(remainder(a, b)) PUT(asin(a)) PUT(acos(b)) PUT(atan(c)) PUT(atan2(a, b)) PUT(sinh(a)) PUT(cosh(b)) PUT(tanh(c)) PUT(asinh(a)) PUT(acosh(b)) PUT(atanh(c)) PUT(sinpi(a)) PUT(j0(a)) PUT(y0(b)) PUT(normcdf(a)) PUT(ldexp(a, n)) PUT(frexp(b, &e)) PUT(modf(c, &p)) PUT(rint(b)) PUT(round(c)) PUT(trunc(a)) PUT(floor(b)) PUT(ceil(c)) PUT(fma(a, b, c)) PUT(nextafter(a, b)) PUT(a / b) PUT(1 / c) PUT(a / 3) PUT(__dsqrt_ru(a)) PUT(__ddiv_rd(a, b)) PUT(cyl_bessel_i1(a))
  sincos(a, &p, &q);
  PUT(p + q) PUT(isnan(a) + isinf(b) + signbit(c)) PUT((double)(long long)a + (int)b + (unsigned)c) PUT(__hiloint2double(n, __double2loint(a))) PUT((float)b + (double)(float)c) PUT(llrint(a) + lround(b))
}
extern "C" __global__ void constants_in_code(float* x, double* y, const float u, const double v, int n) {
  float a = x[threadIdx.x];
  x[threadIdx.x] = fmaf(a, 1e-38f, u) + a * -3e38f + (a < 1e-45f ? INFINITY : -0.0f) + fmaxf(a, -2.5e9f) * u + fminf(u, a) + (a == u ? a : -u) + fabsf(a - u) * -fabsf(u);
  y[threadIdx.x] = fma(y[threadIdx.x], v, 1e-300) + y[9] * 2.0 - v * y[3] + (y[1] > v ? 1.5 : v) + fmax(y[7], 0.25) - 1.0 / 3;
  for (int i = 0; i < n; ++i) a = a * u + x[i] * (float)i, y[i] = y[i] * v + (double)n;
  x[threadIdx.x + 32] = a;
}
