// HSET2.BF16_V2 and HSETP2.BF16_V2.
// uses: HSET2.BF16_V2
// input: bfloat16
// archs: 90
#include <cuda_bf16.h>
extern "C" __global__ void test(const __nv_bfloat162* in, unsigned* out) {
  const __nv_bfloat162 a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const o = out + 6 * threadIdx.x;
  o[0] = __heq2_mask(a, b);
  o[1] = __hltu2_mask(a, b);
  const __nv_bfloat162 greater = __hgt2(a, b), equal = __hequ2(a, a);
  o[2] = *reinterpret_cast<const unsigned*>(&greater);
  o[3] = *reinterpret_cast<const unsigned*>(&equal);
  o[4] = (__hbge2(a, b) ? 1u : 0u) + (__hbneu2(a, b) ? 2u : 0u);
  o[5] = __hlt(__low2bfloat16(a), __high2bfloat16(b)) ? 1u : 0u;
}
