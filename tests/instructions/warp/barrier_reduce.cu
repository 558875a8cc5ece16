// uses: BAR.RED.POPC BAR.RED.AND BAR.RED.OR B2R.RESULT
// threads: 96
// out: 576
// Barriers that count or combine a predicate.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, a = in[t], b = in[t + 32];
  unsigned* const o = out + t * 6;
  o[0] = __syncthreads_count(a & 1), o[1] = __syncthreads_and(a != 31), o[2] = __syncthreads_or(a == 31);
  o[3] = __syncthreads_and(t < 1024), o[4] = __syncthreads_or(t > 1024), o[5] = __syncthreads_count(t >= 90);
}
