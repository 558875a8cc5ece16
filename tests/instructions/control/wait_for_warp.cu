// uses: LDS
// threads: 64
// A warp that waits in a loop for what another one writes.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ volatile unsigned flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (flag == 0) {
    }
    out[threadIdx.x] = value + in[threadIdx.x];
  } else if (threadIdx.x == 40) {
    value = in[40];
    __threadfence_block();
    flag = 1;
  }
}
