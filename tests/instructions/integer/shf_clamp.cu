// uses: SHF
// out: 768
// Shifts by any count: beyond 31 the result is 0 or the sign.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile("shl.b32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[3 * i] = x;
    asm volatile("shr.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[3 * i + 1] = x;
    asm volatile("shr.s32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[3 * i + 2] = x;
  }
}
