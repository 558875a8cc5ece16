// uses: LDG
// __device__ variables: initialized, zero, and one that holds the address of another.
__device__ unsigned numbers[8] = {10, 20, 30, 40, 50, 60, 70, 80};
__device__ unsigned zeroes[32];
__device__ unsigned* pointer = numbers + 2;
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  zeroes[t] += in[t];
  __syncthreads();
  out[t * 3] = pointer[in[t] & 3], out[t * 3 + 1] = zeroes[31 - t], out[t * 3 + 2] = numbers[t & 7];
}
