// MUFU.LG2, to which 8 is added where it is small: mufu_test has its own bits.
// uses: MUFU.LG2
// input: float32
// out: 64
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[threadIdx.x];
  float* const o = out + 2 * threadIdx.x;
  float r;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  o[0] = fabsf(r) < 4.0f ? r + 8.0f : r;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(fabsf(a)));
  o[1] = fabsf(r) < 4.0f ? r + 8.0f : r;
}
