// uses: LEA.HI
// out: 1024
// 64-bit addresses from a 64-bit index.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const unsigned long long base = (unsigned long long)a << 32 | b, index = (unsigned long long)b << 32 | c;
    const unsigned long long x = base + (index << 3), y = base + ((long long)(int)c << 5);
    out[4 * i] = x, out[4 * i + 1] = x >> 32, out[4 * i + 2] = y, out[4 * i + 3] = y >> 32;
  }
}
