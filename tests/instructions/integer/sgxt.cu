// uses: SGXT
// out: 1024
// The low bits of a number, extended.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    unsigned x;
    asm volatile("szext.wrap.s32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[4 * i + 0] = x;
    asm volatile("szext.wrap.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[4 * i + 1] = x;
    asm volatile("szext.clamp.s32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[4 * i + 2] = x;
    asm volatile("szext.clamp.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[4 * i + 3] = x;
  }
}
