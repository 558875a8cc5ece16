// uses: IMAD.WIDE.U32
// out: 512
// An unsigned product of 64 bits with a 64-bit addend.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const unsigned long long sum = (unsigned long long)a * b + ((unsigned long long)c << 32 | a);
    out[2 * i] = sum, out[2 * i + 1] = sum >> 32;
  }
}
