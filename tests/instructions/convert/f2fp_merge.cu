// F2FP that converts one float and keeps a half of another register.
// uses: F2FP.RELU.F16.F32.MERGE_C F2FP.RELU.BF16.F32.MERGE_C
// input: float32
// archs: 80 86 89 90
// out: 128
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const o = out + 4 * threadIdx.x;
  unsigned short r;
  asm("cvt.rn.relu.f16.f32 %0, %1;" : "=h"(r) : "f"(a));
  o[0] = r;
  asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(r) : "f"(a));
  o[1] = r;
  asm("cvt.rz.relu.bf16.f32 %0, %1;" : "=h"(r) : "f"(b));
  o[2] = r;
  asm("cvt.rz.relu.f16.f32 %0, %1;" : "=h"(r) : "f"(b));
  o[3] = r;
}
