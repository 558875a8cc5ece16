// F2F.F16.F32 in its four roundings, flushing and saturating.
// uses: F2F.F16.F32 F2F.F16.F32.RM F2F.F16.F32.RP F2F.F16.F32.RZ
// input: float32
extern "C" __global__ void test(const float* in, unsigned* out) {
  const float a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  unsigned short half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[0] = half;
  asm("cvt.rm.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[1] = half;
  asm("cvt.rp.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[2] = half;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[3] = half;
  asm("cvt.rn.ftz.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[4] = half;
  asm("cvt.rn.sat.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  o[5] = half;
  asm("cvt.rp.ftz.sat.f16.f32 %0, %1;" : "=h"(half) : "f"(-a));
  o[6] = half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(a * 1e-5f));
  o[7] = half;
}
