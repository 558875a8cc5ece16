// uses: MATCH.ANY
// out: 128
// Lanes with the same value.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 4;
  o[0] = __match_any_sync(~0u, a & 7), o[1] = __match_any_sync(~0u, a);
  if (t & 1) o[2] = __match_any_sync(0xaaaaaaaa, b & 3);
}
