// HADD2 of pairs of halves: plain, flushing, saturating, subtracting, with a constant.
// uses: HADD2 HADD2.FTZ HFMA2
// input: float16
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 8 * threadIdx.x;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("add.rn.ftz.f16x2 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("add.rn.sat.f16x2 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(o[3]) : "r"(a), "r"(b));
  asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(o[4]) : "r"(c), "r"(a));
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(o[5]) : "r"(a), "r"(0x3e00c100));
  asm("add.rn.ftz.sat.f16x2 %0, %1, %2;" : "=r"(o[6]) : "r"(b), "r"(c));
  asm("sub.rn.ftz.f16x2 %0, %1, %2;" : "=r"(o[7]) : "r"(b), "r"(c));
}
