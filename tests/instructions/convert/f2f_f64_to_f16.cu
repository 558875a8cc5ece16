// F2F.F16.F64, one rounding, no step through float.
// uses: F2F.F16.F64 F2F.F16.F64.RM F2F.F16.F64.RP F2F.F16.F64.RZ
// input: float64
// out: 192
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  unsigned* const o = out + 6 * threadIdx.x;
  unsigned short half;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(half) : "d"(a));
  o[0] = half;
  asm("cvt.rm.f16.f64 %0, %1;" : "=h"(half) : "d"(a));
  o[1] = half;
  asm("cvt.rp.f16.f64 %0, %1;" : "=h"(half) : "d"(a));
  o[2] = half;
  asm("cvt.rz.f16.f64 %0, %1;" : "=h"(half) : "d"(a));
  o[3] = half;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(half) : "d"(a * 1e-6));
  o[4] = half;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(half) : "d"(fabs(a) * 1e4));
  o[5] = half;
}
