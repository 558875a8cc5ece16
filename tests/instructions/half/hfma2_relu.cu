// HFMA2.RELU, negative results become +0, NaNs stay.
// uses: HFMA2
// archs: 80 86 89 90
// input: float16
// out: 128
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(a), "r"(b), "r"(c));
  asm("fma.rn.ftz.relu.f16x2 %0, %1, %2, %3;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(c));
  asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(c), "r"(b), "r"(a));
  asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(o[3]) : "r"(a), "r"(0xbc00bc00), "r"(c));
}
