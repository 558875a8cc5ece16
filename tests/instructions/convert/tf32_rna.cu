// To TF32 with ties away from zero, which ptxas makes of a comparison, a sum and a mask.
// uses: FSETP LOP3
// input: float32
// archs: 80 86 89 90
// out: 64
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 2 * threadIdx.x;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(o[0]) : "f"(a));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(o[1]) : "f"(-a));
}
