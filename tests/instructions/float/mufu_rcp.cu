// MUFU.RCP, of the value and of its magnitude.
// uses: MUFU.RCP
// input: float32
// out: 64
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[threadIdx.x];
  float* const o = out + 2 * threadIdx.x;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(o[0]) : "f"(a));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(o[1]) : "f"(fabsf(a)));
}
