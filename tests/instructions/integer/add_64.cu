// uses: IADD3.X
// out: 1536
// 64-bit sums of three and negation.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const unsigned long long x = (unsigned long long)a << 32 | b, y = (unsigned long long)b << 32 | c;
    const unsigned long long sum = x + y + a, difference = x - y, minus = 0 - x;
    out[6 * i] = sum, out[6 * i + 1] = sum >> 32, out[6 * i + 2] = difference,
            out[6 * i + 3] = difference >> 32;
    out[6 * i + 4] = minus, out[6 * i + 5] = minus >> 32;
  }
}
