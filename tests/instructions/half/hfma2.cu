// HFMA2, one rounding in each half; plain, flushing, saturating, with a constant.
// uses: HFMA2
// input: float16
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 8 * threadIdx.x;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(a), "r"(b), "r"(c));
  asm("fma.rn.ftz.f16x2 %0, %1, %2, %3;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(c));
  asm("fma.rn.sat.f16x2 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(a), "r"(b), "r"(c));
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(o[3]) : "r"(c), "r"(b), "r"(a));
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(0x3555b800), "r"(c));
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(o[5]) : "r"(a), "r"(b), "r"(0x3c000400));
  asm("fma.rn.ftz.sat.f16x2 %0, %1, %2, %3;" : "=r"(o[6]) : "r"(b), "r"(b), "r"(c));
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(o[7]) : "r"(c), "r"(c), "r"(c));
}
