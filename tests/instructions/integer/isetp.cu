// uses: ISETP.GE ISETP.GT.U32
// All comparisons, signed and unsigned.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    const int s = (int)a, t = (int)b;
    out[i] = (s < t) | (s <= t) << 1 | (s > t) << 2 | (s >= t) << 3 | (s == t) << 4 | (s != t) << 5 |
             (a < b) << 6 | (a <= b) << 7 | (a > b) << 8 | (a >= b) << 9;
  }
}
