// uses: LOP3.LUT
// out: 1536
// Logic of three operands by truth table.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i] = x;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 1] = x;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(x) : "r"(a), "r"(b), "r"(c));
    out[6 * i + 2] = x, out[6 * i + 3] = a & ~b, out[6 * i + 4] = ~(a ^ b),
                out[6 * i + 5] = (a & 0xff0ff0) | c;
  }
}
