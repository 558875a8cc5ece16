// I2F to doubles; 64-bit integers are rounded.
// uses: I2F.F64 I2F.F64.U32 I2F.F64.S64 I2F.F64.U64 I2F.F64.U64.RP I2F.F64.S64.RZ
// out: 448
extern "C" __global__ void test(const unsigned long long* in, unsigned* out) {
  const unsigned long long a = in[threadIdx.x];
  unsigned* const o = out + 14 * threadIdx.x;
  asm("{ .reg .f64 d; cvt.rn.f64.s32 d, %2; mov.b64 {%0, %1}, d; }" : "=r"(o[10]), "=r"(o[11]) : "r"((unsigned)a));
  asm("{ .reg .f64 d; cvt.rn.f64.u32 d, %2; mov.b64 {%0, %1}, d; }" : "=r"(o[12]), "=r"(o[13]) : "r"((unsigned)a));
  double wide;
  asm("cvt.rn.f64.s64 %0, %1;" : "=d"(wide) : "l"(a));
  o[0] = __double2loint(wide);
  o[1] = __double2hiint(wide);
  asm("cvt.rn.f64.u64 %0, %1;" : "=d"(wide) : "l"(a));
  o[2] = __double2loint(wide);
  o[3] = __double2hiint(wide);
  asm("cvt.rp.f64.u64 %0, %1;" : "=d"(wide) : "l"(a));
  o[4] = __double2loint(wide);
  o[5] = __double2hiint(wide);
  asm("cvt.rz.f64.s64 %0, %1;" : "=d"(wide) : "l"(a));
  o[6] = __double2loint(wide);
  o[7] = __double2hiint(wide);
  asm("cvt.rm.f64.s64 %0, %1;" : "=d"(wide) : "l"(a));
  o[8] = __double2loint(wide);
  o[9] = __double2hiint(wide);
}
