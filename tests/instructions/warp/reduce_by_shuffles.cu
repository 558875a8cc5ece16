// uses: SHFL.BFLY
// out: 64
// A sum over the warp in five steps, an inclusive scan in five more.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 2;
  unsigned sum = a, scan = a;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int d = 1; d < 32; d *= 2) {
    const unsigned left = __shfl_up_sync(~0u, scan, d);
    if (t >= d) scan += left;
  }
  o[0] = sum, o[1] = scan;
}
