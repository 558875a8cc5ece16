// uses: ISETP
// A comparison joined to a predicate by and, or, xor.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile(
        "{.reg .pred p, q, r, s; setp.lt.u32 p, %1, %2; setp.gt.and.s32 q|r, %2, %3, p;"
        "setp.ne.or.u32 s, %1, %3, q; setp.le.xor.s32 q, %1, %3, r; selp.u32 %0, 1, 0, q; @s add.u32 %0, %0, "
        "2; @r add.u32 %0, %0, 4;}"
        : "=r"(x)
        : "r"(a), "r"(b), "r"(c));
    out[i] = x;
  }
}
