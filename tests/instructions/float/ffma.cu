// FFMA in its four roundings, flushing and saturating; half of the addends nearly cancel the product.
// uses: FFMA FFMA.RM FFMA.RP FFMA.RZ FFMA.FTZ FFMA.SAT
// input: float32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  float* const o = out + 8 * threadIdx.x;
  const float addend = threadIdx.x % 2 == 0 ? c : -__fmul_rn(a, b);
  o[0] = __fmaf_rn(a, b, addend);
  o[1] = __fmaf_rd(a, b, addend);
  o[2] = __fmaf_ru(a, b, addend);
  o[3] = __fmaf_rz(a, b, addend);
  o[4] = fmaf(-a, b, addend);
  o[5] = fmaf(a, 1.5f, -addend);
  asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(o[6]) : "f"(a), "f"(b), "f"(addend));
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(o[7]) : "f"(a), "f"(b), "f"(addend));
}
