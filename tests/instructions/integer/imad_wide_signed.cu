// uses: IMAD.WIDE
// out: 512
// A signed product of 64 bits with a 64-bit addend.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const long long sum = (long long)(int)a * (int)b + (long long)((unsigned long long)b << 32 | c);
    out[2 * i] = sum, out[2 * i + 1] = sum >> 32;
  }
}
