// DSETP.MIN and DSETP.MAX, which choose a source: zeroes of both signs, one NaN, two NaNs.
// uses: DSETP.MIN DSETP.MAX
// input: float64
// out: 512
extern "C" __global__ void test(const double* in, double* out) {
  const double a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  double* const o = out + 8 * threadIdx.x;
  o[0] = fmin(a, b);
  o[1] = fmax(a, b);
  o[2] = fmin(a, -a);
  o[3] = fmax(-a, a);
  o[4] = fmin(fabs(a), b);
  o[5] = fmax(a, 1.0);
  o[6] = fmin(0.0 * a, -0.0 * b);
  asm("cvt.sat.f64.f64 %0, %1;" : "=d"(o[7]) : "d"(a));
}
