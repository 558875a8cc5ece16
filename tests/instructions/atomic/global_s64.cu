// uses: ATOMG.E.MIN.S64 ATOMG.E.MAX.S64
// out: 256
// Signed 64-bit words.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  long long* const place = (long long*)out + threadIdx.x * 4;
  place[0] = (long long)((unsigned long long)in[1000 + threadIdx.x * 16 + 0] << 32 | in[threadIdx.x]);
  place[1] = (long long)((unsigned long long)in[1000 + threadIdx.x * 16 + 1] << 32 | in[threadIdx.x]);
  place[2] = atomicMin(place + 0, (long long)(in[threadIdx.x * 16 + 0] * 0x100000001ull));
  place[3] = atomicMax(place + 1, (long long)(in[threadIdx.x * 16 + 1] * 0x100000001ull));
}
