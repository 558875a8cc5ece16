// F2F.F32.F64 in its four roundings, and the steps that make it flush and saturate.
// uses: F2F.F32.F64 F2F.F32.F64.RM F2F.F32.F64.RP F2F.F32.F64.RZ
// input: float64
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  float single;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(single) : "d"(a));
  o[0] = __float_as_uint(single);
  asm("cvt.rm.f32.f64 %0, %1;" : "=f"(single) : "d"(a));
  o[1] = __float_as_uint(single);
  asm("cvt.rp.f32.f64 %0, %1;" : "=f"(single) : "d"(a));
  o[2] = __float_as_uint(single);
  asm("cvt.rz.f32.f64 %0, %1;" : "=f"(single) : "d"(a));
  o[3] = __float_as_uint(single);
  asm("cvt.rn.ftz.f32.f64 %0, %1;" : "=f"(single) : "d"(a));
  o[4] = __float_as_uint(single);
  asm("cvt.rn.sat.f32.f64 %0, %1;" : "=f"(single) : "d"(a));
  o[5] = __float_as_uint(single);
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(single) : "d"(-a * 1e-40));
  o[6] = __float_as_uint(single);
  asm("cvt.rp.f32.f64 %0, %1;" : "=f"(single) : "d"(a * 1e38));
  o[7] = __float_as_uint(single);
}
