// HMNMX2, a number wins against a NaN unless .NAN; -0 is below +0.
// uses: HMNMX2 HMNMX2.NAN
// archs: 80 86 89 90
// input: float16
// out: 192
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[3 * threadIdx.x], b = in[3 * threadIdx.x + 1], c = in[3 * threadIdx.x + 2];
  unsigned* const o = out + 6 * threadIdx.x;
  asm("min.f16x2 %0, %1, %2;" : "=r"(o[0]) : "r"(a), "r"(b));
  asm("max.f16x2 %0, %1, %2;" : "=r"(o[1]) : "r"(a), "r"(b));
  asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(o[2]) : "r"(a), "r"(b));
  asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(o[3]) : "r"(a), "r"(b));
  asm("min.ftz.f16x2 %0, %1, %2;" : "=r"(o[4]) : "r"(b), "r"(c));
  asm("max.ftz.f16x2 %0, %1, %2;" : "=r"(o[5]) : "r"(b), "r"(c));
}
