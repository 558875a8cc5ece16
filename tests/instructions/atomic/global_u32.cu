// uses: ATOMG.E.ADD ATOMG.E.MIN ATOMG.E.INC ATOMG.E.DEC ATOMG.E.AND ATOMG.E.XOR ATOMG.E.EXCH ATOMG.E.CAS
// out: 640
// Every operation on words in global memory, a place for each lane: old and new values.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned* const place = (unsigned*)out + threadIdx.x * 20;
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
  place[10] = atomicAdd(place + 0, in[threadIdx.x * 16 + 0]);
  place[11] = atomicMin(place + 1, in[threadIdx.x * 16 + 1]);
  place[12] = atomicMax(place + 2, in[threadIdx.x * 16 + 2]);
  place[13] = atomicInc(place + 3, in[threadIdx.x * 16 + 3]);
  place[14] = atomicDec(place + 4, in[threadIdx.x * 16 + 4]);
  place[15] = atomicAnd(place + 5, in[threadIdx.x * 16 + 5]);
  place[16] = atomicOr(place + 6, in[threadIdx.x * 16 + 6]);
  place[17] = atomicXor(place + 7, in[threadIdx.x * 16 + 7]);
  place[18] = atomicExch(place + 8, in[threadIdx.x * 16 + 8]);
  place[19] = atomicCAS(place + 9, in[threadIdx.x * 16 + 9] & 1, in[threadIdx.x * 16 + 9]);
}
