// uses: VOTE
// out: 32
// Which lanes are here, after a branch.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 1;
  unsigned x = 0;
  if (a & 1)
    x = __activemask();
  else if (a & 2)
    x = __activemask() ^ 0xff;
  __syncwarp();
  o[0] = x;
}
