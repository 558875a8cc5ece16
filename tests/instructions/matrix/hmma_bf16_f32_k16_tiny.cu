// BF16 m16n8k16 into f32: sums near the smallest denormal number; the sign of those that are cut to zero.
// uses: HMMA.16816.F32.BF16
// input: integer
// archs: 80 86 89 90
// out: 1024
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[4], b[2], c[4];
    for (int i = 0; i < 4; ++i) a[i] = w[i];
    for (int i = 0; i < 2; ++i) b[i] = w[i + 4];
    for (int i = 0; i < 4; ++i) c[i] = w[i + 6];
    // A lies in 2^-99 to 2^-95, B in 2^-59 to 2^-55; in odd passes all products are negative. C is a zero of
    // either sign or one of the smallest denormal numbers.
    for (unsigned& x : a) x = (x & 0x81ff81ffu) | 0x0e000e00u;
    for (unsigned& x : b) x = (x & 0x81ff81ffu) | 0x22002200u;
    for (unsigned& x : a) x = pass % 2 == 0 ? x : x & 0x7fff7fffu;
    for (unsigned& x : b) x = pass % 2 == 0 ? x : x | 0x80008000u;
    for (unsigned& x : c) x &= pass % 4 < 2 ? 0x80000000u : 0x80000001u;
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
