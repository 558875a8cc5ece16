// uses: PRMT
// out: 768
// Bytes chosen by nibbles, their signs repeated too.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[3 * i] = __byte_perm(a, b, c), out[3 * i + 1] = __byte_perm(a, b, 0x5140),
            out[3 * i + 2] = __byte_perm(a, 0, 0x4321);
    unsigned x;
    asm volatile("prmt.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[3 * i + 2] ^= x;
  }
}
