// Square root, which ptxas builds from MUFU.RSQ64H and DFMA, with a call if the inline code is not exact.
// uses: MUFU.RSQ64H DFMA
// input: float64
extern "C" __global__ void test(const double* in, double* out) {
  const double a = in[threadIdx.x];
  double* const o = out + 4 * threadIdx.x;
  o[0] = sqrt(a);
  o[1] = sqrt(fabs(a));
  o[2] = __dsqrt_ru(fabs(a));
  o[3] = __dsqrt_rz(fabs(a));
}
