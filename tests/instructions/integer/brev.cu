// uses: BREV
// Bits in reverse order.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    out[i] = __brev(a) ^ (unsigned)(__brevll((unsigned long long)a << 32 | b) >> 16);
  }
}
