// uses: REDUX
// archs: 80 86 89 90
// out: 32
// Reductions over the lanes of a mask.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 1;
  if (t < 10)
    o[0] = __reduce_add_sync(0x3ff, a);
  else
    o[0] = __reduce_max_sync(0xfffffc00, a);
}
