// F2FP to pairs of 8-bit floats, saturating to the largest number.
// uses: F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C
// input: float32
// archs: 89 90
// out: 192
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const o = out + 6 * threadIdx.x;
  unsigned short r;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(a), "f"(b));
  o[0] = r;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(r) : "f"(a), "f"(b));
  o[1] = r;
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(a), "f"(b));
  o[2] = r;
  asm("cvt.rn.satfinite.relu.e5m2x2.f32 %0, %1, %2;" : "=h"(r) : "f"(a), "f"(b));
  o[3] = r;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(a * 100.0f), "f"(b * 0.01f));
  o[4] = r;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(r) : "f"(a * 1e4f), "f"(b * 1e-5f));
  o[5] = r;
}
