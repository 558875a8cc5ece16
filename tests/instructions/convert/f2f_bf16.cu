// F2F to BF16 from single precision in two roundings.
// uses: F2F.BF16.F32
// input: float32
// archs: 80 86 89 90
// out: 128
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  unsigned short half;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[0] = half;
  asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[1] = half;
  asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[2] = half;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(-a));
  o[3] = half;
}
