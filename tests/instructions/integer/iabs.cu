// uses: IABS
// out: 512
// Absolute values.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    out[2 * i] = abs((int)a);
    const long long x = llabs((long long)((unsigned long long)a << 32 | b));
    out[2 * i + 1] = (unsigned)(x >> 32) ^ (unsigned)x;
  }
}
