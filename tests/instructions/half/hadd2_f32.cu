// HADD2.F32 widens a half, either of its register: every conversion from half to float.
// uses: HADD2.F32
// input: float16
#include <cuda_fp16.h>
extern "C" __global__ void test(const __half2* in, float* out) {
  const __half2 a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 8 * threadIdx.x;
  o[0] = __low2float(a);
  o[1] = __high2float(a);
  o[2] = -__low2float(b);
  o[3] = fabsf(__high2float(b));
  o[4] = __low2float(a) + __high2float(b);
  o[5] = __low2float(a) * __low2float(b);
  o[6] = __saturatef(__low2float(b));
  o[7] = fmaf(__low2float(a), __high2float(a), __low2float(b));
}
