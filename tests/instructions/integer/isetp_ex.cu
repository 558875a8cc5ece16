// uses: .EX
// 64-bit comparisons: the upper word decides, or hands the lower one on.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512], d = in[i + 768];
    const unsigned long long x = (unsigned long long)(a & 3) << 32 | b,
                             y = (unsigned long long)(c & 3) << 32 | d;
    const long long s = x - (2ll << 32), t = y - (2ll << 32);
    out[i] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 |
             (s < t) << 6 | (s <= t) << 7 | (s > t) << 8 | (s >= t) << 9;
  }
}
