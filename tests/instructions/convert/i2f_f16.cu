// I2F to halves: one rounding, and overflow to infinity.
// uses: I2F.F16 I2F.F16.U32 I2F.F16.RP
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  unsigned short half;
  asm("cvt.rn.f16.s32 %0, %1;" : "=h"(half) : "r"(a));
  o[0] = half;
  asm("cvt.rn.f16.u32 %0, %1;" : "=h"(half) : "r"(a));
  o[1] = half;
  asm("cvt.rz.f16.s32 %0, %1;" : "=h"(half) : "r"(a));
  o[2] = half;
  asm("cvt.rp.f16.s32 %0, %1;" : "=h"(half) : "r"(a));
  o[3] = half;
  asm("cvt.rm.f16.u32 %0, %1;" : "=h"(half) : "r"(a));
  o[4] = half;
  asm("cvt.rn.f16.s32 %0, %1;" : "=h"(half) : "r"(a >> 15));
  o[5] = half;
  asm("cvt.rn.f16.s16 %0, %1;" : "=h"(half) : "h"((unsigned short)a));
  o[6] = half;
  asm("cvt.rn.f16.u8 %0, %1;" : "=h"(half) : "r"(a));
  o[7] = half;
}
