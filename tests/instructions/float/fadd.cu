// FADD in its four roundings, with negated and absolute sources, flushing and saturating.
// uses: FADD FADD.RM FADD.RP FADD.RZ FADD.FTZ FADD.SAT
// input: float32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 8 * threadIdx.x;
  o[0] = __fadd_rn(a, b);
  o[1] = __fadd_rd(a, b);
  o[2] = __fadd_ru(a, b);
  o[3] = __fadd_rz(a, b);
  o[4] = a - b;
  o[5] = fabsf(a) + b;
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(o[6]) : "f"(a), "f"(b));
  asm("add.sat.f32 %0, %1, %2;" : "=f"(o[7]) : "f"(a), "f"(b));
}
