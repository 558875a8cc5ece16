// HSET2 whose result is all ones or none, as the mask functions of cuda_fp16.h use it.
// uses: HSET2
#include <cuda_fp16.h>
extern "C" __global__ void test(const __half2* in, unsigned* out) {
  const __half2 a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const o = out + 8 * threadIdx.x;
  o[0] = __heq2_mask(a, b);
  o[1] = __hne2_mask(a, b);
  o[2] = __hlt2_mask(a, b);
  o[3] = __hleu2_mask(a, b);
  o[4] = __hgtu2_mask(a, b);
  o[5] = __hge2_mask(a, a);
  o[6] = __hneu2_mask(a, a);
  o[7] = __hle2_mask(b, a);
}
