// FSET, 1.0 or 0 by a comparison.
// uses: FSET
// input: float32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 8 * threadIdx.x;
  asm("set.lt.f32.f32 %0, %1, %2;" : "=f"(o[0]) : "f"(a), "f"(b));
  asm("set.eq.f32.f32 %0, %1, %2;" : "=f"(o[1]) : "f"(a), "f"(b));
  asm("set.le.f32.f32 %0, %1, %2;" : "=f"(o[2]) : "f"(a), "f"(b));
  asm("set.gt.f32.f32 %0, %1, %2;" : "=f"(o[3]) : "f"(a), "f"(b));
  asm("set.neu.f32.f32 %0, %1, %2;" : "=f"(o[4]) : "f"(a), "f"(b));
  asm("set.geu.f32.f32 %0, %1, %2;" : "=f"(o[5]) : "f"(a), "f"(b));
  asm("set.nan.f32.f32 %0, %1, %2;" : "=f"(o[6]) : "f"(a), "f"(b));
  asm("set.ltu.f32.f32 %0, %1, %2;" : "=f"(o[7]) : "f"(a), "f"(b));
}
