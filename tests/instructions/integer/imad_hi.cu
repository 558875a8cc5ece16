// uses: IMAD.HI
// out: 1024
// Upper halves of products, with and without an addend.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    out[4 * i] = __umulhi(a, b), out[4 * i + 1] = __mulhi((int)a, (int)b);
    asm volatile("mad.hi.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 2] = x;
    asm volatile("mad.hi.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 3] = x;
  }
}
