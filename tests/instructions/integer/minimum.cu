// uses: VIMNMX
// out: 1024
// Smaller and larger, signed and unsigned.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    out[4 * i] = min((int)a, (int)b), out[4 * i + 1] = max((int)a, (int)b), out[4 * i + 2] = min(a, b),
            out[4 * i + 3] = max(a, b);
  }
}
