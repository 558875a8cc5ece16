// FMNMX.XORSIGN, the smaller or larger magnitude with the sign of the product.
// uses: FMNMX.XORSIGN FMNMX.NAN.XORSIGN
// archs: 86 89 90
// input: float32
// out: 128
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 4 * threadIdx.x;
  asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(o[0]) : "f"(a), "f"(b));
  asm("max.xorsign.abs.f32 %0, %1, %2;" : "=f"(o[1]) : "f"(a), "f"(b));
  asm("min.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(o[2]) : "f"(a), "f"(b));
  asm("max.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(o[3]) : "f"(b), "f"(-a));
}
