// uses: ATOMG.E.MIN.S32 ATOMG.E.MAX.S32
// out: 192
// Signed words in global memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  int* const place = (int*)out + threadIdx.x * 6;
  place[0] = (int)in[1000 + threadIdx.x * 16 + 0];
  place[1] = (int)in[1000 + threadIdx.x * 16 + 1];
  place[2] = (int)in[1000 + threadIdx.x * 16 + 2];
  place[3] = atomicMin(place + 0, (int)in[threadIdx.x * 16 + 0]);
  place[4] = atomicMax(place + 1, (int)in[threadIdx.x * 16 + 1]);
  place[5] = atomicAdd(place + 2, (int)in[threadIdx.x * 16 + 2]);
}
