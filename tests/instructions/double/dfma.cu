// DFMA in its four roundings; half of the addends nearly cancel the product.
// uses: DFMA DFMA.RM DFMA.RP DFMA.RZ
// input: float64
// out: 448
extern "C" __global__ void test(const double* in, double* out) {
  const double a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], other = in[3 * threadIdx.x + 2];
  const double c = threadIdx.x % 2 == 0 ? other : -__dmul_rn(a, b);
  double* const o = out + 7 * threadIdx.x;
  o[0] = __fma_rn(a, b, c);
  o[1] = __fma_rd(a, b, c);
  o[2] = __fma_ru(a, b, c);
  o[3] = __fma_rz(a, b, c);
  o[4] = fma(-a, b, c);
  o[5] = fma(a, b, -c);
  o[6] = fma(a, 0.5, c);
}
