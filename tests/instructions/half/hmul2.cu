// HMUL2 of pairs of halves: plain, flushing, saturating, with a constant.
// uses: HMUL2 HMUL2.SAT
// input: float16
// out: 192
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 6 * threadIdx.x;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("mul.rn.ftz.f16x2 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("mul.rn.sat.f16x2 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(o[3]) : "r"(b), "r"(c));
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(o[4]) : "r"(a), "r"(0x3555b800));
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(o[5]) : "r"(c), "r"(0x80000001));
}
