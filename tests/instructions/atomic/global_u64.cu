// uses: ATOMG.E.ADD.64 ATOMG.E.MIN.64 ATOMG.E.EXCH.64 ATOMG.E.CAS.64
// out: 1280
// 64-bit words in global memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned long long* const place = (unsigned long long*)out + threadIdx.x * 20;
  place[0] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 0] << 32 | in[threadIdx.x]);
  place[1] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 1] << 32 | in[threadIdx.x]);
  place[2] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 2] << 32 | in[threadIdx.x]);
  place[3] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 3] << 32 | in[threadIdx.x]);
  place[4] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 4] << 32 | in[threadIdx.x]);
  place[5] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 5] << 32 | in[threadIdx.x]);
  place[6] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 6] << 32 | in[threadIdx.x]);
  place[7] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 7] << 32 | in[threadIdx.x]);
  place[8] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 8] << 32 | in[threadIdx.x]);
  place[9] = ((unsigned long long)in[1000 + threadIdx.x * 16 + 9] << 32 | in[threadIdx.x]);
  place[10] = atomicAdd(place + 0, (in[threadIdx.x * 16 + 0] * 0x100000001ull));
  place[11] = atomicMin(place + 1, (in[threadIdx.x * 16 + 1] * 0x100000001ull));
  place[12] = atomicMax(place + 2, (in[threadIdx.x * 16 + 2] * 0x100000001ull));
  place[13] = atomicAdd(place + 3, (in[threadIdx.x * 16 + 3] * 0x100000001ull));
  place[14] = atomicMin(place + 4, (in[threadIdx.x * 16 + 4] * 0x100000001ull));
  place[15] = atomicAnd(place + 5, (in[threadIdx.x * 16 + 5] * 0x100000001ull));
  place[16] = atomicOr(place + 6, (in[threadIdx.x * 16 + 6] * 0x100000001ull));
  place[17] = atomicXor(place + 7, (in[threadIdx.x * 16 + 7] * 0x100000001ull));
  place[18] = atomicExch(place + 8, (in[threadIdx.x * 16 + 8] * 0x100000001ull));
  place[19] = atomicCAS(place + 9, (in[threadIdx.x * 16 + 9] * 0x100000001ull) & 1,
                        (in[threadIdx.x * 16 + 9] * 0x100000001ull));
}
