// F2I of halves.
// uses: F2I.F16 F2I.U32.F16
// input: float16
extern "C" __global__ void test(const unsigned short* in, unsigned* out) {
  const unsigned short a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  unsigned long long big;
  asm("cvt.rni.s32.f16 %0, %1;" : "=r"(o[0]) : "h"(a));
  asm("cvt.rmi.s32.f16 %0, %1;" : "=r"(o[1]) : "h"(a));
  asm("cvt.rzi.u32.f16 %0, %1;" : "=r"(o[2]) : "h"(a));
  short small;
  asm("cvt.rpi.s16.f16 %0, %1;" : "=h"(small) : "h"(a));
  o[3] = small;
  asm("cvt.rzi.s64.f16 %0, %1;" : "=l"(big) : "h"(a));
  o[4] = (unsigned)big;
  o[5] = (unsigned)(big >> 32);
  asm("cvt.rni.u64.f16 %0, %1;" : "=l"(big) : "h"(a));
  o[6] = (unsigned)big;
  o[7] = (unsigned)(big >> 32);
}
