// I2F of 64-bit integers to floats in the four roundings.
// uses: I2F.S64 I2F.U64 I2F.S64.RZ I2F.U64.RP
extern "C" __global__ void test(const unsigned long long* in, unsigned* out) {
  const unsigned long long a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  float single;
  asm("cvt.rn.f32.s64 %0, %1;" : "=f"(single) : "l"(a));
  o[0] = __float_as_uint(single);
  asm("cvt.rn.f32.u64 %0, %1;" : "=f"(single) : "l"(a));
  o[1] = __float_as_uint(single);
  asm("cvt.rz.f32.s64 %0, %1;" : "=f"(single) : "l"(a));
  o[2] = __float_as_uint(single);
  asm("cvt.rp.f32.u64 %0, %1;" : "=f"(single) : "l"(a));
  o[3] = __float_as_uint(single);
  asm("cvt.rm.f32.s64 %0, %1;" : "=f"(single) : "l"(a));
  o[4] = __float_as_uint(single);
  asm("cvt.rp.f32.s64 %0, %1;" : "=f"(single) : "l"(a));
  o[5] = __float_as_uint(single);
  asm("cvt.rn.f32.s64 %0, %1;" : "=f"(single) : "l"(a >> 37));
  o[6] = __float_as_uint(single);
  asm("cvt.rz.f32.u64 %0, %1;" : "=f"(single) : "l"(a >> 11));
  o[7] = __float_as_uint(single);
}
