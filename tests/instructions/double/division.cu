// Division, which ptxas builds from MUFU.RCP64H and DFMA, with a call if the inline code is not exact.
// uses: MUFU.RCP64H DFMA
// input: float64
// out: 384
extern "C" __global__ void test(const double* in, double* out) {
  const double a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  double* const o = out + 6 * threadIdx.x;
  o[0] = a / b;
  o[1] = 1.0 / b;
  o[2] = a / 3.0;
  o[3] = __ddiv_ru(a, b);
  o[4] = __ddiv_rd(a, b);
  o[5] = __drcp_rz(b);
}
