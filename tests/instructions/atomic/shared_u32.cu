// uses: ATOMS.ADD ATOMS.MIN ATOMS.MAX ATOMS.INC ATOMS.DEC ATOMS.AND ATOMS.OR ATOMS.XOR ATOMS.EXCH ATOMS.CAS
// out: 640
// Every operation on words in shared memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ unsigned box[32 * 10];
  unsigned* const result = (unsigned*)out + threadIdx.x * 20;
  unsigned* const place = box + threadIdx.x * 10;
  place[0] = in[1000 + threadIdx.x * 16 + 0] & 0xff00003f;
  place[1] = in[1000 + threadIdx.x * 16 + 1] & 0xff00003f;
  place[2] = in[1000 + threadIdx.x * 16 + 2] & 0xff00003f;
  place[3] = in[1000 + threadIdx.x * 16 + 3] & 0xff00003f;
  place[4] = in[1000 + threadIdx.x * 16 + 4] & 0xff00003f;
  place[5] = in[1000 + threadIdx.x * 16 + 5] & 0xff00003f;
  place[6] = in[1000 + threadIdx.x * 16 + 6] & 0xff00003f;
  place[7] = in[1000 + threadIdx.x * 16 + 7] & 0xff00003f;
  place[8] = in[1000 + threadIdx.x * 16 + 8] & 0xff00003f;
  place[9] = in[1000 + threadIdx.x * 16 + 9] & 0xff00003f;
  __syncthreads();
  result[10] = atomicAdd(place + 0, in[threadIdx.x * 16 + 0]);
  result[11] = atomicMin(place + 1, in[threadIdx.x * 16 + 1]);
  result[12] = atomicMax(place + 2, in[threadIdx.x * 16 + 2]);
  result[13] = atomicInc(place + 3, in[threadIdx.x * 16 + 3]);
  result[14] = atomicDec(place + 4, in[threadIdx.x * 16 + 4]);
  result[15] = atomicAnd(place + 5, in[threadIdx.x * 16 + 5]);
  result[16] = atomicOr(place + 6, in[threadIdx.x * 16 + 6]);
  result[17] = atomicXor(place + 7, in[threadIdx.x * 16 + 7]);
  result[18] = atomicExch(place + 8, in[threadIdx.x * 16 + 8]);
  result[19] = atomicCAS(place + 9, in[threadIdx.x * 16 + 9] & 1, in[threadIdx.x * 16 + 9]);
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
