// uses: STG.E.U8 STG.E.U16 STG.E.64 STG.E.128
// out: 384
// Every width of a global store.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  char* const o = (char*)out + t * 48;
  *(unsigned char*)(o + 1) = in[t];
  *(unsigned short*)(o + 6) = in[t + 1];
  *(unsigned*)(o + 8) = in[t + 2];
  *(uint2*)(o + 16) = make_uint2(in[t + 3], in[t + 4]);
  *(uint4*)(o + 32) = make_uint4(in[t + 5], in[t + 6], in[t + 7], in[t + 8]);
}
