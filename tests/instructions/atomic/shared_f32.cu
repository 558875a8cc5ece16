// uses: ATOMS.CAST.SPIN
// out: 192
// input: small32
// Sums of float32 in shared memory: a loop around a compare and swap.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ float box[32 * 3];
  float* const result = (float*)out + threadIdx.x * 6;
  float* const place = box + threadIdx.x * 3;
  place[0] = __uint_as_float(in[1000 + threadIdx.x * 16 + 0]);
  place[1] = __uint_as_float(in[1000 + threadIdx.x * 16 + 1]);
  place[2] = __uint_as_float(in[1000 + threadIdx.x * 16 + 2]);
  __syncthreads();
  result[3] = atomicAdd(place + 0, __uint_as_float(in[threadIdx.x * 16 + 0]));
  result[4] = atomicAdd(place + 1, 1.0f);
  result[5] = atomicExch(place + 2, __uint_as_float(in[threadIdx.x * 16 + 2]));
  __syncthreads();
  result[0] = place[0];
  result[1] = place[1];
  result[2] = place[2];
}
