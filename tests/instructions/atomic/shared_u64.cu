// uses: ATOMS.CAS.64 ATOMS.EXCH.64
// out: 1280
// 64-bit words in shared memory: most operations are loops around a compare and swap.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned long long box[32 * 10];
  unsigned long long* const result = (unsigned long long*)out + threadIdx.x * 20;
  unsigned long long* const place = box + threadIdx.x * 10;
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
  __syncthreads();
  result[10] = atomicAdd(place + 0, (in[threadIdx.x * 16 + 0] * 0x100000001ull));
  result[11] = atomicMin(place + 1, (in[threadIdx.x * 16 + 1] * 0x100000001ull));
  result[12] = atomicMax(place + 2, (in[threadIdx.x * 16 + 2] * 0x100000001ull));
  result[13] = atomicAdd(place + 3, (in[threadIdx.x * 16 + 3] * 0x100000001ull));
  result[14] = atomicMin(place + 4, (in[threadIdx.x * 16 + 4] * 0x100000001ull));
  result[15] = atomicAnd(place + 5, (in[threadIdx.x * 16 + 5] * 0x100000001ull));
  result[16] = atomicOr(place + 6, (in[threadIdx.x * 16 + 6] * 0x100000001ull));
  result[17] = atomicXor(place + 7, (in[threadIdx.x * 16 + 7] * 0x100000001ull));
  result[18] = atomicExch(place + 8, (in[threadIdx.x * 16 + 8] * 0x100000001ull));
  result[19] = atomicCAS(place + 9, (in[threadIdx.x * 16 + 9] * 0x100000001ull) & 1,
                         (in[threadIdx.x * 16 + 9] * 0x100000001ull));
  __syncthreads();
  result[0] = place[0];
  result[1] = place[1];
  result[2] = place[2];
  result[3] = place[3];
  result[4] = place[4];
  result[5] = place[5];
  result[6] = place[6];
  result[7] = place[7];
  result[8] = place[8];
  result[9] = place[9];
}
