// uses: LOP3.LUT
// Combinations of sign tests; earlier architectures have a PLOP3 of sign bits.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const int x = (int)a, y = (int)b, z = (int)c;
    unsigned r = 0;
    if (x < 0 && y >= 0 && z < 0) r |= 1;
    if ((x < 0) != (y < 0)) r |= 2;
    if ((x >= 0 && y < 0) || z >= 0) r |= 4;
    out[i] = r;
  }
}
