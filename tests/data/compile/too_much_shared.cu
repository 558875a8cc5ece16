// 100 KB of static shared memory; the most is 48 KB.
extern "C" __global__ void too_much_shared(float* out) {
  __shared__ float tile[25600];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
