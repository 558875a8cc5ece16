// uses: SHF
// out: 1024
// Fields taken out and put in: bfe and bfi.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i] = x;
    asm volatile("bfe.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 1] = x;
    asm volatile("bfi.b32 %0, %1, %2, %3, 7;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 2] = x;
    asm volatile("bfe.s32 %0, %1, 5, 9;" : "=r"(x) : "r"(a));
    out[4 * i + 3] = x;
  }
}
