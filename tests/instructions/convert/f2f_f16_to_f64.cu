// F2F.F64.F16, exact.
// uses: F2F.F64.F16
// input: float16
// out: 128
// out: 128
extern "C" __global__ void test(const unsigned short* in, unsigned* out) {
  const unsigned short a = in[threadIdx.x];
  unsigned* const o = out + 4 * threadIdx.x;
  double wide;
  asm("cvt.f64.f16 %0, %1;" : "=d"(wide) : "h"(a));
  o[0] = __double2loint(wide);
  o[1] = __double2hiint(wide);
  asm("cvt.f64.f16 %0, %1;" : "=d"(wide) : "h"((unsigned short)(a ^ 0x8000)));
  o[2] = __double2loint(wide);
  o[3] = __double2hiint(wide);
}
