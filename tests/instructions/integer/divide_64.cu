// uses: CALL
// out: 2048
// Division and remainder of 64-bit numbers: subroutines.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512], d = in[i + 768];
    const unsigned long long x = (unsigned long long)a << 32 | b,
                             y = ((unsigned long long)(c & 0xffff) << 32 | d) | 1;
    const unsigned long long q = x / y, r = x % y;
    const long long sq = (long long)x / (long long)y, sr = (long long)x % -(long long)y;
    out[8 * i] = q, out[8 * i + 1] = q >> 32, out[8 * i + 2] = r, out[8 * i + 3] = r >> 32;
    out[8 * i + 4] = sq, out[8 * i + 5] = sq >> 32, out[8 * i + 6] = sr, out[8 * i + 7] = sr >> 32;
  }
}
