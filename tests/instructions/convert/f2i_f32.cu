// F2I of floats: saturating, NaN to 0, in four roundings.
// uses: F2I.NTZ F2I.FLOOR F2I.U32.CEIL F2I.FTZ
// input: float32
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(o[0]) : "f"(a));
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(o[1]) : "f"(a));
  asm("cvt.rpi.u32.f32 %0, %1;" : "=r"(o[2]) : "f"(a));
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(o[3]) : "f"(a));
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(o[4]) : "f"(a));
  asm("cvt.rpi.ftz.s32.f32 %0, %1;" : "=r"(o[5]) : "f"(a));
  asm("cvt.rni.u32.f32 %0, %1;" : "=r"(o[6]) : "f"(a * 1e8f));
  asm("cvt.rmi.ftz.u32.f32 %0, %1;" : "=r"(o[7]) : "f"(-a));
}
