// FMNMX.NAN, a NaN wins.
// uses: FMNMX.NAN
// archs: 80 86 89 90
// input: float32
// out: 128
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 4 * threadIdx.x;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(o[0]) : "f"(a), "f"(b));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(o[1]) : "f"(a), "f"(b));
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(o[2]) : "f"(b), "f"(-a));
  asm("max.ftz.NaN.f32 %0, %1, %2;" : "=f"(o[3]) : "f"(a), "f"(b));
}
