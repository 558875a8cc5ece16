// DMUL in its four roundings, with negated and absolute sources and a constant.
// uses: DMUL DMUL.RM DMUL.RP DMUL.RZ
// input: float64
// out: 448
extern "C" __global__ void test(const double* in, double* out) {
  const double a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  double* const o = out + 7 * threadIdx.x;
  o[0] = __dmul_rn(a, b);
  o[1] = __dmul_rd(a, b);
  o[2] = __dmul_ru(a, b);
  o[3] = __dmul_rz(a, b);
  o[4] = -a * fabs(b);
  o[5] = -fabs(a) * b;
  o[6] = a * 0.1;
}
