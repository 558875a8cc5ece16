// F16 m16n8k16 into f16: sums whose large terms cancel.
// uses: HMMA.16816.F16
// input: small16
// archs: 80 86 89 90
// out: 512
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[4], b[2], c[2];
    for (int i = 0; i < 4; ++i) a[i] = w[i];
    for (int i = 0; i < 2; ++i) b[i] = w[i + 4];
    for (int i = 0; i < 2; ++i) c[i] = w[i + 6];
    // Neighbouring products cancel but for the last bit of A.
    for (unsigned& x : a) x = (x & 0xffffu) * 0x10001u ^ 0x10000u;
    for (unsigned& x : b) x = (x & 0xffffu) * 0x10001u ^ 0x80000000u;
    for (unsigned& x : c) x = pass % 2 == 0 ? 0u : x;
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 2; ++i) out[64 * pass + 2 * threadIdx.x + i] = c[i];
  }
}
