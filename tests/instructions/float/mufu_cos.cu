// MUFU.COS; its error is absolute, hence the sum.
// uses: MUFU.COS
// ulp: 8 the hardware interpolates in a table that is not published
// input: float32
// out: 32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[threadIdx.x];
  float* const o = out + 1 * threadIdx.x;
  float r;
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  o[0] = r + 2.0f;
}
