// F2FP from a pair of halves to a pair of 8-bit floats, and back.
// uses: F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C F2FP.SATFINITE.E5M2.F16.UNPACK_B_MERGE_C F2FP.F16.E4M3.UNPACK_B F2FP.RELU.F16.E5M2.UNPACK_B
// input: float16
// archs: 89 90
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  unsigned short r;
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(r) : "r"(a));
  o[0] = r;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(o[1]) : "h"(r));
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(r) : "r"(a));
  o[2] = r;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(o[3]) : "h"(r));
  asm("cvt.rn.satfinite.relu.e4m3x2.f16x2 %0, %1;" : "=h"(r) : "r"(a));
  o[4] = r;
  asm("cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, %1;" : "=h"(r) : "r"(a));
  o[5] = r;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(o[6]) : "h"((unsigned short)a));
  asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(o[7]) : "h"((unsigned short)(a >> 16)));
}
