// uses: ATOMS.POPC.INC
// threads: 128
// A histogram in shared memory: counting up by one.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned counts[64];
  if (threadIdx.x < 64) counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 2048; i += 128) atomicAdd(&counts[in[i] >> 3 & 63], 1u);
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = counts[threadIdx.x];
}
