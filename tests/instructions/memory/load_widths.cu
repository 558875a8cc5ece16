// uses: LDG.E.U8 LDG.E.S8 LDG.E.U16 LDG.E.S16 LDG.E.64 LDG.E.128
// out: 384
// Every width and sign of a global load.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned* const o = out + t * 12;
  o[0] = ((const volatile unsigned char*)in)[t * 5], o[1] = ((const volatile signed char*)in)[t * 7];
  o[2] = ((const volatile unsigned short*)in)[t * 3], o[3] = ((const volatile short*)in)[t * 9];
  const uint2 pair = ((const uint2*)in)[t];
  const uint4 quad = ((const uint4*)in)[t * 2 + 1];
  o[4] = pair.x, o[5] = pair.y, o[6] = quad.x, o[7] = quad.y, o[8] = quad.z, o[9] = quad.w;
  o[10] = (unsigned)(((const long long*)in)[t] >> 13), o[11] = in[t];
}
