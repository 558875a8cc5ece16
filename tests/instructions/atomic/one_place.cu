// uses: ATOMG
// threads: 96
// All threads add to one word: the compiler adds up within the warp first.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned sum, most;
  if (threadIdx.x == 0) sum = most = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x]);
  atomicMax(&most, in[threadIdx.x]);
  const unsigned ticket = atomicAdd(out, 1u);
  atomicAdd(out + 1, ticket);  // 0 + 1 + 2 + …, whoever came when
  atomicExch(out + 8 + ticket, 1u);
  __syncthreads();
  if (threadIdx.x == 0) out[2] = sum, out[3] = most;
}
