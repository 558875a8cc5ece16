// uses: FLO FLO.U32
// out: 1280
// The leading bit of signed and unsigned numbers, as index and as shift.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    unsigned x;
    asm volatile("bfind.u32 %0, %1;" : "=r"(x) : "r"(a));
    out[5 * i + 0] = x;
    asm volatile("bfind.s32 %0, %1;" : "=r"(x) : "r"(a));
    out[5 * i + 1] = x;
    asm volatile("bfind.shiftamt.u32 %0, %1;" : "=r"(x) : "r"(a));
    out[5 * i + 2] = x;
    asm volatile("bfind.shiftamt.s32 %0, %1;" : "=r"(x) : "r"(a));
    out[5 * i + 3] = x;
    out[5 * i + 4] = __clz((int)a) + __ffs((int)b) * 64 + __clzll((unsigned long long)a << 32 | b) * 4096;
  }
}
