// FRND of halves.
// uses: FRND.F16 FRND.F16.FLOOR FRND.F16.CEIL FRND.F16.TRUNC
// input: float16
// out: 128
extern "C" __global__ void test(const unsigned short* in, unsigned* out) {
  const unsigned short a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  unsigned short half;
  asm("cvt.rni.f16.f16 %0, %1;" : "=h"(half) : "h"(a));
  o[0] = half;
  asm("cvt.rmi.f16.f16 %0, %1;" : "=h"(half) : "h"(a));
  o[1] = half;
  asm("cvt.rpi.f16.f16 %0, %1;" : "=h"(half) : "h"(a));
  o[2] = half;
  asm("cvt.rzi.f16.f16 %0, %1;" : "=h"(half) : "h"(a));
  o[3] = half;
}
