// uses: LDC
// A __constant__ array, its index known and not known before.
__constant__ unsigned table[64] = {1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
__constant__ double wide[4] = {1.5, -2.25, 3.125, 1e300};
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  out[t * 4] = table[in[t] & 63] + table[5];
  const long long bits = __double_as_longlong(wide[in[t + 1] & 3]);
  out[t * 4 + 1] = bits, out[t * 4 + 2] = bits >> 32,
              out[t * 4 + 3] = ((const unsigned char*)table)[in[t + 2] & 63];
}
