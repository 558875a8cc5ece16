// uses: NANOSLEEP
// out: 32
// A pause has no result.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 1;
  __nanosleep(20);
  __nanosleep(a & 63);
  o[0] = a + b;
}
