// F2FP.TF32, to TF32 in two roundings.
// uses: F2FP.TF32.F32.PACK_B F2FP.TF32.F32.PACK_B.RZ F2FP.RELU.TF32.F32.PACK_B
// input: float32
// archs: 90
// out: 128
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(o[0]) : "f"(a));
  asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(o[1]) : "f"(a));
  asm("cvt.rn.relu.tf32.f32 %0, %1;" : "=r"(o[2]) : "f"(a));
  asm("cvt.rz.relu.tf32.f32 %0, %1;" : "=r"(o[3]) : "f"(a));
}
