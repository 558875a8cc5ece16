// I2F to bfloat16.
// uses: I2F.BF16 I2F.BF16.U32
// archs: 90
// out: 128
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  unsigned short half;
  asm("cvt.rn.bf16.s32 %0, %1;" : "=h"(half) : "r"(a));
  o[0] = half;
  asm("cvt.rn.bf16.u32 %0, %1;" : "=h"(half) : "r"(a));
  o[1] = half;
  asm("cvt.rz.bf16.s32 %0, %1;" : "=h"(half) : "r"(a));
  o[2] = half;
  asm("cvt.rp.bf16.u32 %0, %1;" : "=h"(half) : "r"(a));
  o[3] = half;
}
