// F2I of doubles to bytes and halves.
// uses: F2I.S8.F64 F2I.U16.F64
// input: float64
// out: 128
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  asm("cvt.rzi.s8.f64 %0, %1;" : "=r"(o[0]) : "d"(a));
  asm("cvt.rzi.u8.f64 %0, %1;" : "=r"(o[1]) : "d"(a));
  asm("cvt.rni.s16.f64 %0, %1;" : "=r"(o[2]) : "d"(a * 999.0));
  asm("cvt.rmi.u16.f64 %0, %1;" : "=r"(o[3]) : "d"(a * 999.0));
}
