// uses: ATOMG.E.ADD.F32
// out: 192
// input: small32
// Sums of float32 in global memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  float* const place = (float*)out + threadIdx.x * 6;
  place[0] = __uint_as_float(in[1000 + threadIdx.x * 16 + 0]);
  place[1] = __uint_as_float(in[1000 + threadIdx.x * 16 + 1]);
  place[2] = __uint_as_float(in[1000 + threadIdx.x * 16 + 2]);
  place[3] = atomicAdd(place + 0, __uint_as_float(in[threadIdx.x * 16 + 0]));
  place[4] = atomicAdd(place + 1, 1.0f);
  place[5] = atomicExch(place + 2, __uint_as_float(in[threadIdx.x * 16 + 2]));
}
