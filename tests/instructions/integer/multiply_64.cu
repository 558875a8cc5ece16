// uses: IMAD.WIDE.U32
// out: 1536
// 64-bit products, lower and upper halves.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const unsigned long long x = (unsigned long long)a << 32 | b, y = (unsigned long long)b << 32 | c;
    const unsigned long long low = x * y, high = __umul64hi(x, y), high_signed = __mul64hi(x, y);
    out[6 * i] = low, out[6 * i + 1] = low >> 32, out[6 * i + 2] = high, out[6 * i + 3] = high >> 32;
    out[6 * i + 4] = high_signed, out[6 * i + 5] = high_signed >> 32;
  }
}
