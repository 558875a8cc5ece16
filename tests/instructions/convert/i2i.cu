// I2I, saturating to bytes and halves.
// uses: I2I.S8.S32.SAT I2I.U8.S32.SAT I2I.S16.S32.SAT I2I.U16.S32.SAT
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(o[0]) : "r"(a));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(o[1]) : "r"(a));
  asm("cvt.sat.s16.s32 %0, %1;" : "=r"(o[2]) : "r"(a));
  asm("cvt.sat.u16.s32 %0, %1;" : "=r"(o[3]) : "r"(a));
  asm("cvt.sat.u8.u32 %0, %1;" : "=r"(o[4]) : "r"(a));
  asm("cvt.sat.s16.u32 %0, %1;" : "=r"(o[5]) : "r"(a));
  asm("cvt.sat.u32.s32 %0, %1;" : "=r"(o[6]) : "r"(a));
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(o[7]) : "r"(a >> 20));
}
