// FMNMX, a number wins against a NaN; -0 is below +0; flushing.
// uses: FMNMX FMNMX.FTZ
// input: float32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 8 * threadIdx.x;
  o[0] = fminf(a, b);
  o[1] = fmaxf(a, b);
  o[2] = fminf(a, -a);
  o[3] = fmaxf(-a, a);
  o[4] = fminf(fabsf(a), -b);
  o[5] = fmaxf(a, 1.0f);
  asm("min.ftz.f32 %0, %1, %2;" : "=f"(o[6]) : "f"(a), "f"(b));
  asm("max.ftz.f32 %0, %1, %2;" : "=f"(o[7]) : "f"(a), "f"(b));
}
