// F2I of floats to 64-bit integers; a NaN gives the highest bit.
// uses: F2I.S64 F2I.U64 F2I.S64.TRUNC
// input: float32
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  unsigned long long big;
  asm("cvt.rni.s64.f32 %0, %1;" : "=l"(big) : "f"(a));
  o[0] = (unsigned)big;
  o[1] = (unsigned)(big >> 32);
  asm("cvt.rzi.u64.f32 %0, %1;" : "=l"(big) : "f"(a));
  o[2] = (unsigned)big;
  o[3] = (unsigned)(big >> 32);
  asm("cvt.rzi.s64.f32 %0, %1;" : "=l"(big) : "f"(a * 1e15f));
  o[4] = (unsigned)big;
  o[5] = (unsigned)(big >> 32);
  asm("cvt.rpi.u64.f32 %0, %1;" : "=l"(big) : "f"(a * 1e17f));
  o[6] = (unsigned)big;
  o[7] = (unsigned)(big >> 32);
}
