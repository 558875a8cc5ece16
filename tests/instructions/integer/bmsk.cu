// uses: BMSK
// out: 512
// A field of ones.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    unsigned x;
    asm volatile("bmsk.wrap.b32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[2 * i + 0] = x;
    asm volatile("bmsk.clamp.b32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    out[2 * i + 1] = x;
  }
}
