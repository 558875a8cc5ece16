// Which of several NaN operands becomes the result, and what infinity times zero gives beside a NaN.
// uses: DFMA DMUL DADD
// input: float64
// out: 512
extern "C" __global__ void test(const double* in, double* out) {
  // Bits 0 to 2 of the lane say which operands are NaNs, bit 3 whether they are signalling, bit 4 their sign.
  const unsigned t = threadIdx.x;
  const unsigned long long nan = (t & 16 ? 0xfff0ull : 0x7ff0ull) << 48 | (t & 8 ? 0ull : 1ull << 51);
  double v[3] = {t & 8 ? in[t] : __longlong_as_double(0x7ffll << 52), t & 8 ? in[t + 32] : 0.0, in[t + 64]};
  for (int i = 0; i < 3; ++i)
    if (t >> i & 1) v[i] = __longlong_as_double(nan | 16 * t + i + 1);
  double* const o = out + 8 * t;
  o[0] = __fma_rn(v[0], v[1], v[2]);
  o[1] = __fma_rz(v[1], v[2], v[0]);
  o[2] = fma(-v[2], v[0], v[1]);
  o[3] = __dmul_rn(v[0], v[1]);
  o[4] = __dmul_ru(v[1], v[2]);
  o[5] = __dadd_rn(v[0], v[1]);
  o[6] = __dadd_rd(v[1], v[2]);
  o[7] = v[0] - fabs(v[2]);
}
