// FRND of bfloat16.
// uses: FRND.BF16 FRND.BF16.FLOOR FRND.BF16.CEIL FRND.BF16.TRUNC
// input: bfloat16
// archs: 90
// out: 128
extern "C" __global__ void test(const unsigned short* in, unsigned* out) {
  const unsigned short a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  unsigned short half;
  asm("cvt.rni.bf16.bf16 %0, %1;" : "=h"(half) : "h"(a));
  o[0] = half;
  asm("cvt.rmi.bf16.bf16 %0, %1;" : "=h"(half) : "h"(a));
  o[1] = half;
  asm("cvt.rpi.bf16.bf16 %0, %1;" : "=h"(half) : "h"(a));
  o[2] = half;
  asm("cvt.rzi.bf16.bf16 %0, %1;" : "=h"(half) : "h"(a));
  o[3] = half;
}
