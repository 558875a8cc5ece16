// Barriers 0 and 1, and dynamic shared memory only.
extern "C" __global__ void __launch_bounds__(256) two_barriers(int* out) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int left = dynamic[threadIdx.x ^ 1];
  asm volatile("bar.sync 1, 256;" ::: "memory");
  dynamic[threadIdx.x] = left;
  __syncthreads();
  out[threadIdx.x] = dynamic[255 - threadIdx.x];
}
