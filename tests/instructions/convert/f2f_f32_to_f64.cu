// F2F.F64.F32, exact, NaNs included.
// uses: F2F.F64.F32
// input: float32
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  double wide;
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(a));
  o[0] = __double2loint(wide);
  o[1] = __double2hiint(wide);
  asm("cvt.ftz.f64.f32 %0, %1;" : "=d"(wide) : "f"(a));
  o[2] = __double2loint(wide);
  o[3] = __double2hiint(wide);
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(-a));
  o[4] = __double2loint(wide);
  o[5] = __double2hiint(wide);
  asm("cvt.sat.f64.f32 %0, %1;" : "=d"(wide) : "f"(a));
  o[6] = __double2loint(wide);
  o[7] = __double2hiint(wide);
}
