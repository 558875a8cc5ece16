// HSETP2, two comparisons into two predicates, combined by the caller.
// uses: HSETP2
// input: float16
// out: 64
#include <cuda_fp16.h>
__device__ unsigned truths(__half2 a, __half2 b) {
  unsigned r = 0;
  r |= __hbeq2(a, b) ? 1u : 0u;
  r |= __hbne2(a, b) ? 2u : 0u;
  r |= __hblt2(a, b) ? 4u : 0u;
  r |= __hbgeu2(a, b) ? 8u : 0u;
  r |= __hlt(__low2half(a), __high2half(b)) ? 16u : 0u;
  r |= __hgeu(__high2half(a), __low2half(b)) ? 32u : 0u;
  r |= __hneu(__low2half(a), __low2half(b)) ? 64u : 0u;
  r |= __hisnan(__high2half(a)) ? 128u : 0u;
  r |= __hgt(__habs(__low2half(a)), __low2half(b)) ? 256u : 0u;
  return r;
}
extern "C" __global__ void test(const __half2* in, unsigned* out) {
  const __half2 a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  out[threadIdx.x] = truths(a, b);
  out[32 + threadIdx.x] = truths(a, a);
}
