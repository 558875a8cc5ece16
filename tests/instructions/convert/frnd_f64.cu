// FRND of doubles.
// uses: FRND.F64 FRND.F64.FLOOR FRND.F64.CEIL FRND.F64.TRUNC
// input: float64
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  double wide;
  asm("cvt.rni.f64.f64 %0, %1;" : "=d"(wide) : "d"(a));
  o[0] = __double2loint(wide);
  o[1] = __double2hiint(wide);
  asm("cvt.rmi.f64.f64 %0, %1;" : "=d"(wide) : "d"(a));
  o[2] = __double2loint(wide);
  o[3] = __double2hiint(wide);
  asm("cvt.rpi.f64.f64 %0, %1;" : "=d"(wide) : "d"(-a));
  o[4] = __double2loint(wide);
  o[5] = __double2hiint(wide);
  asm("cvt.rzi.f64.f64 %0, %1;" : "=d"(wide) : "d"(a));
  o[6] = __double2loint(wide);
  o[7] = __double2hiint(wide);
}
