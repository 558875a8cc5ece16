// uses: VIADD.16x2
// out: 512
// Sums and differences of halves.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    out[2 * i] = __vadd2(a, b);
    out[2 * i + 1] = __vsub2(a, b);
  }
}
