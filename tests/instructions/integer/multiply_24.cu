// uses: IMAD
// out: 512
// 24-bit products.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[2 * i] = __mul24((int)a, (int)b) + c;
    out[2 * i + 1] = __umul24(a, b);
  }
}
