// uses: VABSDIFF
// out: 512
// Absolute differences, with an addend.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[2 * i] = __sad((int)a, (int)b, c);
    out[2 * i + 1] = __usad(a, b, c);
  }
}
