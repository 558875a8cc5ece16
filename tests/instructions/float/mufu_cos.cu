// MUFU.COS, to which 2 is added: mufu_test has its own bits.
// uses: MUFU.COS
// input: float32
// out: 32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[threadIdx.x];
  float* const o = out + 1 * threadIdx.x;
  float r;
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  o[0] = r + 2.0f;
}
