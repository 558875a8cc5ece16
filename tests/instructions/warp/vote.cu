// uses: VOTE
// out: 128
// Votes of all lanes and of some.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 4;
  o[0] = __ballot_sync(~0u, a & 1), o[1] = __any_sync(~0u, a == 31) * 2 + __all_sync(~0u, a != 12345);
  if (a & 2) o[2] = __ballot_sync(__activemask(), b & 1);
  unsigned x;
  asm volatile(
      "{.reg .pred p, q; setp.ne.u32 p, %1, 0; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q;}"
      : "=r"(x)
      : "r"(a & 4));
  o[3] = x;
}
