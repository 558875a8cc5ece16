// MUFU of halves: EX2 and TANH in the format of their argument; and functions that go through float.
// uses: MUFU.EX2 MUFU.TANH
// input: float16
// out: 128
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(o[0]) : "r"(a));
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(o[1]) : "r"(a));
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(o[2]) : "r"(b));
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(o[3]) : "r"(b));
}
