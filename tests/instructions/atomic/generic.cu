// uses: ATOM QSPC
// Through a pointer that may lead to global or to shared memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ float box[32];
  __shared__ unsigned words[32];
  box[threadIdx.x] = 1, words[threadIdx.x] = 7;
  ((float*)out)[threadIdx.x] = 2;
  __syncthreads();
  float* const f = in[threadIdx.x] & 1 ? box + threadIdx.x : (float*)out + threadIdx.x;
  unsigned* const u = in[threadIdx.x] & 2 ? words + threadIdx.x : out + 32 + threadIdx.x;
  ((float*)out)[64 + threadIdx.x] = atomicAdd(f, 0.25f);
  out[96 + threadIdx.x] = atomicAdd(u, 5u);
  out[128 + threadIdx.x] = atomicCAS(u, 12u, 13u);
  __syncthreads();
  ((float*)out)[160 + threadIdx.x] = box[threadIdx.x], out[192 + threadIdx.x] = words[threadIdx.x];
}
