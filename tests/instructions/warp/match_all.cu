// uses: MATCH.ALL
// out: 192
// Whether all lanes hold the same value.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 6;
  int same;
  o[0] = __match_all_sync(~0u, a & 7, &same), o[1] = same;
  o[2] = __match_all_sync(~0u, a >> 31 >> 1, &same), o[3] = same;
  o[4] = __match_all_sync(~0u, (unsigned long long)t >> 5 << 33, &same), o[5] = same;
}
