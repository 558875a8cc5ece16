// F16 m16n8k16 into f32: whether products of zero take part in the alignment, and the sign of zero.
// uses: HMMA.16816.F32
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
    // Of A the columns of lanes with t = 0 are zero, and there B is large; all else is small. Rows 4 to 7 of
    // A are zero. C is +0 or -0.
    const unsigned t = threadIdx.x % 4;
    for (unsigned& x : a)
      x = t == 0 || threadIdx.x / 16 == 1 ? x & 0x80008000u : (x & 0x87ff87ffu) | 0x04000400u;
    for (unsigned& x : b) x = t == 0 ? (x & 0x83ff83ffu) | 0x78007800u : x & 0x8fff8fffu;
    for (unsigned& x : c) x = pass % 2 == 0 ? 0u : 0x80000000u;
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
