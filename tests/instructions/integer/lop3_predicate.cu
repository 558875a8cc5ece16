// uses: LOP3.LUT
// A test of bits: a predicate as the result of logic.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x = (a & b) != 0 ? c : b;
    if ((a ^ c) & 0x11) x += 3;
    if ((a | b | c) == 0) x = 77;
    out[i] = x;
  }
}
