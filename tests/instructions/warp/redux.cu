// uses: REDUX
// archs: 80 86 89 90
// out: 256
// Reductions over a warp in one instruction.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 8;
  o[0] = __reduce_add_sync(~0u, a), o[1] = __reduce_min_sync(~0u, a), o[2] = __reduce_max_sync(~0u, a);
  o[3] = __reduce_and_sync(~0u, a | 0xff), o[4] = __reduce_or_sync(~0u, a & 0x0ff0),
  o[5] = __reduce_xor_sync(~0u, a);
  o[6] = __reduce_min_sync(~0u, (int)a), o[7] = __reduce_max_sync(~0u, (int)b);
}
