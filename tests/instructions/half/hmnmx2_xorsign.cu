// HMNMX2.XORSIGN, the smaller or larger magnitude with the sign of the product.
// uses: HMNMX2
// archs: 86 89 90
// input: float16
// out: 128
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("min.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("max.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("max.NaN.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("min.NaN.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(o[3]) : "r"(b), "r"(c));
}
