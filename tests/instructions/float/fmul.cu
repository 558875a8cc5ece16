// FMUL in its four roundings, with negated and absolute sources, flushing and saturating.
// uses: FMUL FMUL.RM FMUL.RP FMUL.RZ FMUL.FTZ FMUL.SAT
// input: float32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 8 * threadIdx.x;
  o[0] = __fmul_rn(a, b);
  o[1] = __fmul_rd(a, b);
  o[2] = __fmul_ru(a, b);
  o[3] = __fmul_rz(a, b);
  o[4] = -fabsf(a) * b;
  o[5] = a * 0.1f;
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(o[6]) : "f"(a), "f"(b));
  asm("mul.sat.f32 %0, %1, %2;" : "=f"(o[7]) : "f"(a), "f"(b));
}
