// uses: CALL RET
// Functions that are not inlined, called by some lanes.
__device__ __noinline__ unsigned mix(unsigned a, unsigned b) { return (a ^ b >> 3) * 2654435761u; }
__device__ __noinline__ unsigned twice(unsigned a) { return mix(mix(a, 5), a); }
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned x = in[threadIdx.x];
  if (x & 1) x = twice(x);
  out[threadIdx.x] = mix(x, threadIdx.x);
}
