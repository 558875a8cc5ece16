// uses: I2F
// out: 1024
// Division and remainder of 32-bit numbers by variables.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    const unsigned d = b | 1;
    out[4 * i] = a / d, out[4 * i + 1] = a % d, out[4 * i + 2] = (int)a / (int)(d >> 1 | 1),
            out[4 * i + 3] = (int)a % (int)(d >> 1 | 1);
  }
}
