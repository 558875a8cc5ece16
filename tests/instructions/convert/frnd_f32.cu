// FRND of floats: to nearest even, down, up, truncated; flushing.
// uses: FRND FRND.FLOOR FRND.CEIL FRND.TRUNC FRND.FTZ
// input: float32
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  float single;
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(single) : "f"(a));
  o[0] = __float_as_uint(single);
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(single) : "f"(a));
  o[1] = __float_as_uint(single);
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(single) : "f"(a));
  o[2] = __float_as_uint(single);
  asm("cvt.rzi.f32.f32 %0, %1;" : "=f"(single) : "f"(a));
  o[3] = __float_as_uint(single);
  asm("cvt.rni.ftz.f32.f32 %0, %1;" : "=f"(single) : "f"(a));
  o[4] = __float_as_uint(single);
  asm("cvt.rpi.ftz.f32.f32 %0, %1;" : "=f"(single) : "f"(a));
  o[5] = __float_as_uint(single);
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(single) : "f"(-fabsf(a)));
  o[6] = __float_as_uint(single);
  asm("cvt.rni.sat.f32.f32 %0, %1;" : "=f"(single) : "f"(a));
  o[7] = __float_as_uint(single);
}
