// MUFU of bfloat16: EX2 and TANH.
// uses: MUFU.EX2 MUFU.TANH
// input: bfloat16
// archs: 90
// out: 128
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(o[0]) : "r"(a));
  asm("tanh.approx.bf16x2 %0, %1;" : "=r"(o[1]) : "r"(a));
  asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(o[2]) : "r"(b));
  asm("tanh.approx.bf16x2 %0, %1;" : "=r"(o[3]) : "r"(b));
}
