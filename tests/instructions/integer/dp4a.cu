// uses: IDP.4A
// out: 1024
// Dot products of four bytes.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 0] = x;
    asm volatile("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 1] = x;
    asm volatile("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 2] = x;
    asm volatile("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[4 * i + 3] = x;
  }
}
