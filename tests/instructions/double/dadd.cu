// DADD in its four roundings, with negated and absolute sources and a constant.
// uses: DADD DADD.RM DADD.RP DADD.RZ
// input: float64
// out: 448
extern "C" __global__ void test(const double* in, double* out) {
  const double a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  double* const o = out + 7 * threadIdx.x;
  o[0] = __dadd_rn(a, b);
  o[1] = __dadd_rd(a, b);
  o[2] = __dadd_ru(a, b);
  o[3] = __dadd_rz(a, b);
  o[4] = a - fabs(b);
  o[5] = -fabs(a) - b;
  o[6] = a + 1.5;
}
