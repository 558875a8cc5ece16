// F2FP from pairs of 8-bit floats to halves: all 256 values of both formats.
// uses: F2FP.F16.E4M3.UNPACK_B F2FP.F16.E5M2.UNPACK_B
// archs: 89 90
// threads: 128
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned short pair = (unsigned short)(2 * threadIdx.x | (2 * threadIdx.x + 1) << 8);
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(out[threadIdx.x]) : "h"(pair));
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(out[128 + threadIdx.x]) : "h"(pair));
}
