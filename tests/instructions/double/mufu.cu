// MUFU.RCP64H and MUFU.RSQ64H: the upper words of approximations.
// uses: MUFU.RCP64H MUFU.RSQ64H
// input: float64
// out: 128
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  double r, s, t;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(s) : "d"(a));
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(t) : "d"(fabs(a)));
  unsigned* const o = out + 4 * threadIdx.x;
  o[0] = __double2hiint(r);
  o[1] = __double2hiint(s);
  o[2] = __double2hiint(t);
  o[3] = __double2loint(r) | __double2loint(s);
}
