// uses: BAR.SYNC
// threads: 40
// A barrier with a count where the last warp is not full.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[40];
  const unsigned t = threadIdx.x;
  box[t] = in[t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = box[39 - t];
  out[64 + t] = __syncthreads_count(in[t] & 1);
}
