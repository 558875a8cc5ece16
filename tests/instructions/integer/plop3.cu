// uses: PLOP3.LUT
// Logic of predicates.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const bool p = a<b, q = (int)b>(int) c, r = (a & 8) != 0;
    unsigned x;
    asm volatile(
        "{.reg .pred p, q, r, s; setp.ne.u32 p, %1, 0; setp.ne.u32 q, %2, 0; setp.ne.u32 r, %3, 0; xor.pred "
        "s, p, q;"
        "and.pred p, s, r; not.pred r, r; or.pred q, p, r; selp.u32 %0, 1, 0, q; @s add.u32 %0, %0, 2;}"
        : "=r"(x)
        : "r"((unsigned)p), "r"((unsigned)q), "r"((unsigned)r));
    out[i] = x;
  }
}
