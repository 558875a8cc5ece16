// uses: LDS.U8 LDS.S16 LDS.64 LDS.128 STS.U8 STS.U16 STS.64 STS.128
// out: 384
// Every width in shared memory.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) char box[32 * 48];
  const unsigned t = threadIdx.x;
  char* const s = box + t * 48;
  *(uint4*)s = make_uint4(in[t], in[t + 1], in[t + 2], in[t + 3]);
  *(uint2*)(s + 16) = make_uint2(in[t + 4], in[t + 5]);
  *(unsigned*)(s + 24) = in[t + 6];
  *(volatile unsigned short*)(s + 28) = in[t + 7];
  ((volatile char*)s)[30] = in[t + 8], ((volatile char*)s)[31] = in[t + 9];
  *(uint4*)(s + 32) = make_uint4(1, 2, 3, t);
  __syncthreads();
  const char* const r = box + (31 - t) * 48;
  const uint4 quad = *(const uint4*)r;
  const uint2 pair = *(const uint2*)(r + 16);
  unsigned* const o = out + t * 12;
  o[0] = quad.x, o[1] = quad.y, o[2] = quad.z, o[3] = quad.w, o[4] = pair.x, o[5] = pair.y;
  o[6] = *(const volatile unsigned*)(r + 24), o[7] = *(const volatile short*)(r + 28);
  o[8] = *(const volatile unsigned char*)(r + 30), o[9] = *(const volatile signed char*)(r + 31);
  o[10] = *(const volatile unsigned short*)(r + 4 * (t & 3)), o[11] = *(const volatile unsigned*)(r + 44);
}
