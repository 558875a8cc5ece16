// uses: IADD3.X
// out: 1536
// 96-bit sums and differences: carries in and out.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    unsigned x, y, z;
    asm volatile("{add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %5; addc.u32 %2, %5, %3;}"
                 : "=r"(x), "=r"(y), "=r"(z)
                 : "r"(a), "r"(b), "r"(c));
    out[6 * i] = x, out[6 * i + 1] = y, out[6 * i + 2] = z;
    asm volatile("{sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %5; subc.u32 %2, %5, %3;}"
                 : "=r"(x), "=r"(y), "=r"(z)
                 : "r"(a), "r"(b), "r"(c));
    out[6 * i + 3] = x, out[6 * i + 4] = y, out[6 * i + 5] = z;
  }
}
