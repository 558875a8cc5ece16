// F2FP packs two floats into a pair of halves.
// uses: F2FP.F16.F32.PACK_AB F2FP.F16.F32.PACK_AB.RZ F2FP.RELU.F16.F32.PACK_AB
// input: float32
// archs: 80 86 89 90
// out: 192
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const o = out + 6 * threadIdx.x;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(o[0]) : "f"(a), "f"(b));
  asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(o[1]) : "f"(a), "f"(b));
  asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(o[2]) : "f"(a), "f"(b));
  asm("cvt.rz.relu.f16x2.f32 %0, %1, %2;" : "=r"(o[3]) : "f"(a), "f"(b));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(o[4]) : "f"(b), "f"(-a));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(o[5]) : "f"(a * 1e-5f), "f"(b * 1e3f));
}
