// uses: ATOMS.MIN.S32 ATOMS.MAX.S32
// out: 192
// Signed words in shared memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ int box[32 * 3];
  int* const result = (int*)out + threadIdx.x * 6;
  int* const place = box + threadIdx.x * 3;
  place[0] = (int)in[1000 + threadIdx.x * 16 + 0];
  place[1] = (int)in[1000 + threadIdx.x * 16 + 1];
  place[2] = (int)in[1000 + threadIdx.x * 16 + 2];
  __syncthreads();
  result[3] = atomicMin(place + 0, (int)in[threadIdx.x * 16 + 0]);
  result[4] = atomicMax(place + 1, (int)in[threadIdx.x * 16 + 1]);
  result[5] = atomicAdd(place + 2, (int)in[threadIdx.x * 16 + 2]);
  __syncthreads();
  result[0] = place[0];
  result[1] = place[1];
  result[2] = place[2];
}
