// uses: IDP.2A.LO IDP.2A.HI
// out: 2048
// Dot products of two halves with two bytes.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 0] = x;
    asm volatile("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 1] = x;
    asm volatile("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 2] = x;
    asm volatile("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 3] = x;
    asm volatile("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 4] = x;
    asm volatile("dp2a.hi.u32.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 5] = x;
    asm volatile("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 6] = x;
    asm volatile("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[8 * i + 7] = x;
  }
}
