// uses: LEA
// out: 768
// A shifted index added to a base.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[3 * i] = (a << 5) + b;
    out[3 * i + 1] = b - (a << 7);
    out[3 * i + 2] = (c << 31) + a;
  }
}
