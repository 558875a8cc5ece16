// uses: IADD3
// out: 512
// Sums of three, with minus signs.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[2 * i] = a + b + c;
    out[2 * i + 1] = a - b - c;
  }
}
