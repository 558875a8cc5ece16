// Chains of conversions: each step rounds once.
// uses: F2F F2I HADD2.F32
// input: float64
#include <cuda_fp16.h>
extern "C" __global__ void test(const double* in, unsigned* out) {
  const double a = in[threadIdx.x];
  unsigned* const o = out + 8 * threadIdx.x;
  const float single = (float)a;
  const __half half = __float2half(single), direct = __double2half(a);
  o[0] = __half_as_ushort(half);
  o[1] = __half_as_ushort(direct);
  o[2] = __float_as_uint(__half2float(half));
  o[3] = (unsigned)__half2int_rz(half);
  o[4] = (unsigned)(int)single;
  o[5] = __half_as_ushort(__int2half_rn((int)a));
  o[6] = __float_as_uint((float)(long long)a);
  o[7] = (unsigned)__double2int_rn((double)__half2float(direct));
}
