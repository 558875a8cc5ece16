// uses: MATCH.ANY.U64
// out: 32
// Lanes with the same 64-bit value.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 1;
  o[0] = __match_any_sync(~0u, (unsigned long long)(a & 3) << 32 | (b & 1));
}
