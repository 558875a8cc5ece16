// F2F between BF16 and the other formats, in all roundings.
// uses: F2F.BF16.F32.RM F2F.BF16.F32.RP F2F.BF16.F64 F2F.BF16.F16 F2F.F16.BF16
// input: float64
// archs: 90
// out: 192
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  const float single = (float)a;
  unsigned* const o = out + 6 * threadIdx.x;
  unsigned short half, brain, r;
  asm("cvt.rm.bf16.f32 %0, %1;" : "=h"(r) : "f"(single));
  o[0] = r;
  asm("cvt.rp.bf16.f32 %0, %1;" : "=h"(r) : "f"(single));
  o[1] = r;
  asm("cvt.rn.bf16.f64 %0, %1;" : "=h"(brain) : "d"(a));
  o[2] = brain;
  asm("cvt.rz.bf16.f64 %0, %1;" : "=h"(r) : "d"(a));
  o[3] = r;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(half) : "d"(a));
  asm("cvt.rn.bf16.f16 %0, %1;" : "=h"(r) : "h"(half));
  o[4] = r;
  asm("cvt.rn.f16.bf16 %0, %1;" : "=h"(r) : "h"(brain));
  o[5] = r;
}
