// uses: ATOMG.E.ADD.F32
// out: 256
// input: float32
// Denormals, infinities and NaNs in sums in global memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  float* const place = (float*)out + threadIdx.x * 8;
  place[0] = __uint_as_float(in[1000 + threadIdx.x * 16 + 0]);
  place[1] = __uint_as_float(in[1000 + threadIdx.x * 16 + 1]);
  place[2] = __uint_as_float(in[1000 + threadIdx.x * 16 + 2]);
  place[3] = __uint_as_float(in[1000 + threadIdx.x * 16 + 3]);
  place[4] = atomicAdd(place + 0, __uint_as_float(in[threadIdx.x * 16 + 0]));
  place[5] = atomicAdd(place + 1, __uint_as_float(in[threadIdx.x * 16 + 1]));
  place[6] = atomicAdd(place + 2, __uint_as_float(in[threadIdx.x * 16 + 2]));
  place[7] = atomicAdd(place + 3, __uint_as_float(in[threadIdx.x * 16 + 3]));
}
