// uses: LDG.E.128.CONSTANT
// Loads of data that no one changes.
extern "C" __global__ void test(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  const unsigned t = threadIdx.x;
  const uint4 quad = __ldg((const uint4*)in + t);
  out[t * 6] = quad.x, out[t * 6 + 1] = quad.y, out[t * 6 + 2] = quad.z, out[t * 6 + 3] = quad.w;
  out[t * 6 + 4] = __ldg((const unsigned char*)in + t * 3), out[t * 6 + 5] = __ldg((const short*)in + t * 5);
}
