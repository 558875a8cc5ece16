// uses: SHFL.IDX SHFL.UP SHFL.DOWN SHFL.BFLY
// out: 256
// Values of other lanes, in the whole warp and in segments.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 8;
  o[0] = __shfl_sync(~0u, a, b), o[1] = __shfl_up_sync(~0u, a, 3), o[2] = __shfl_down_sync(~0u, a, 7),
  o[3] = __shfl_xor_sync(~0u, a, 21);
  o[4] = __shfl_sync(~0u, a, b, 8), o[5] = __shfl_up_sync(~0u, a, 3, 16),
  o[6] = __shfl_down_sync(~0u, a, 3, 4), o[7] = __shfl_xor_sync(~0u, a, 5, 8);
}
