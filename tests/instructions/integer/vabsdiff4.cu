// uses: VABSDIFF4.U8 VABSDIFF4.U8.ACC
// out: 768
// Absolute differences of bytes, each or summed.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[3 * i] = __vabsdiffu4(a, b);
    out[3 * i + 1] = __vsadu4(a, b) + c;
    out[3 * i + 2] = __vabsdiffs4(a, b);
  }
}
