// HFMA2.BF16_V2, and what compilers make of it: sums, differences and products.
// uses: HFMA2
// archs: 80 86 89 90
// input: bfloat16
// out: 192
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 6 * threadIdx.x;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(o[0]) : "r"(a), "r"(b), "r"(c));
  asm("fma.rn.relu.bf16x2 %0, %1, %2, %3;" : "=r"(o[1]) : "r"(a), "r"(b), "r"(c));
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(c), "r"(b), "r"(a));
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(o[3]) : "r"(a), "r"(0x3f803f80), "r"(c));
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(o[4]) : "r"(a), "r"(b), "r"(0x80008000));
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(o[5]) : "r"(b), "r"(b), "r"(c));
}
