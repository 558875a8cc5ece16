// F2I of bfloat16.
// uses: F2I.BF16
// input: bfloat16
// archs: 90
// out: 128
extern "C" __global__ void test(const unsigned short* in, unsigned* out) {
  const unsigned short a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("cvt.rni.s32.bf16 %0, %1;" : "=r"(o[0]) : "h"(a));
  asm("cvt.rmi.s32.bf16 %0, %1;" : "=r"(o[1]) : "h"(a));
  asm("cvt.rzi.u32.bf16 %0, %1;" : "=r"(o[2]) : "h"(a));
  asm("cvt.rpi.u32.bf16 %0, %1;" : "=r"(o[3]) : "h"(a));
}
