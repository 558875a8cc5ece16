// HADD2.BF16_V2 and HMUL2.BF16_V2.
// uses: HADD2.BF16_V2 HMUL2.BF16_V2
// archs: 90
// input: bfloat16
// out: 160
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 5 * threadIdx.x;
  asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("sub.rn.bf16x2 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("mul.rn.bf16x2 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(o[3]) : "r"(b), "r"(c));
  asm("mul.rn.bf16x2 %0, %1, %2;" : "=r"(o[4]) : "r"(b), "r"(c));
}
