// HMNMX2.BF16_V2.
// uses: HMNMX2.BF16_V2
// archs: 80 86 89 90
// input: bfloat16
// out: 128
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("min.bf16x2 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("max.bf16x2 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(o[3]) : "r"(b), "r"(c));
}
