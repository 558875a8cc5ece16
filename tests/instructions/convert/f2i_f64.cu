// F2I of doubles; a NaN gives the highest bit.
// uses: F2I.F64 F2I.U32.F64 F2I.S64.F64 F2I.U64.F64
// input: float64
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  unsigned long long big;
  asm("cvt.rni.s32.f64 %0, %1;" : "=r"(o[0]) : "d"(a));
  asm("cvt.rmi.s32.f64 %0, %1;" : "=r"(o[1]) : "d"(a));
  asm("cvt.rpi.u32.f64 %0, %1;" : "=r"(o[2]) : "d"(a));
  asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(o[3]) : "d"(a * 1e8));
  asm("cvt.rni.s64.f64 %0, %1;" : "=l"(big) : "d"(a));
  o[4] = (unsigned)big;
  o[5] = (unsigned)(big >> 32);
  asm("cvt.rzi.u64.f64 %0, %1;" : "=l"(big) : "d"(a * 1e17));
  o[6] = (unsigned)big;
  o[7] = (unsigned)(big >> 32);
}
