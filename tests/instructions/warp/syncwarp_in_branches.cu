// uses: WARPSYNC
// out: 32
// Lanes that meet again inside a branch.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 1;
  __shared__ unsigned box[32];
  box[t] = a;
  if (t < 16) {
    __syncwarp(0xffff);
    o[0] = box[15 - t];
  } else {
    __syncwarp(0xffff0000);
    o[0] = box[47 - t];
  }
}
