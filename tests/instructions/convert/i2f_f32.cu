// I2F and I2FP: words to floats in the four roundings.
// uses: I2FP.F32.S32 I2FP.F32.U32 I2FP.F32.S32.RZ I2F.RM I2F.U32.RP
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  float single;
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(single) : "r"(a));
  o[0] = __float_as_uint(single);
  asm("cvt.rn.f32.u32 %0, %1;" : "=f"(single) : "r"(a));
  o[1] = __float_as_uint(single);
  asm("cvt.rz.f32.s32 %0, %1;" : "=f"(single) : "r"(a));
  o[2] = __float_as_uint(single);
  asm("cvt.rz.f32.u32 %0, %1;" : "=f"(single) : "r"(a));
  o[3] = __float_as_uint(single);
  asm("cvt.rm.f32.s32 %0, %1;" : "=f"(single) : "r"(a));
  o[4] = __float_as_uint(single);
  asm("cvt.rp.f32.s32 %0, %1;" : "=f"(single) : "r"(a));
  o[5] = __float_as_uint(single);
  asm("cvt.rm.f32.u32 %0, %1;" : "=f"(single) : "r"(a));
  o[6] = __float_as_uint(single);
  asm("cvt.rp.f32.u32 %0, %1;" : "=f"(single) : "r"(a));
  o[7] = __float_as_uint(single);
}
