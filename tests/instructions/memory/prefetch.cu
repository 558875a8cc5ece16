// uses: CCTL
// Prefetches change nothing.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in + threadIdx.x));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + threadIdx.x + 64));
  out[threadIdx.x] = in[threadIdx.x];
}
