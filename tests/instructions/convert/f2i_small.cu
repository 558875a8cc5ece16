// F2I of floats to bytes and halves, and F2IP, which sm_90 has for unsigned bytes.
// uses: F2I.S8 F2I.U16 F2I.S16 F2IP.U8.F32
// input: float32
// out: 192
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 6 * threadIdx.x;
  asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(o[0]) : "f"(a));
  asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(o[1]) : "f"(a));
  asm("cvt.rni.s16.f32 %0, %1;" : "=r"(o[2]) : "f"(a * 999.0f));
  asm("cvt.rmi.u16.f32 %0, %1;" : "=r"(o[3]) : "f"(a * 999.0f));
  asm("cvt.rni.u8.f32 %0, %1;" : "=r"(o[4]) : "f"(a * 40.0f));
  asm("cvt.rni.s8.f32 %0, %1;" : "=r"(o[5]) : "f"(a * 40.0f));
}
