// F16 m16n8k8 into f32: how products of denormal numbers are aligned, and denormal results.
// uses: HMMA.1688.F32
// input: integer
// out: 1024
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[2], b[1], c[4];
    for (int i = 0; i < 2; ++i) a[i] = w[i];
    for (int i = 0; i < 1; ++i) b[i] = w[i + 2];
    for (int i = 0; i < 4; ++i) c[i] = w[i + 3];
    // A is denormal, B lies below 2 with all smaller exponents, C is zero in every other pass.
    for (unsigned& x : a) x &= 0x83ff83ffu;
    for (unsigned& x : b) x &= 0xbfffbfffu;
    for (unsigned& x : c) x &= pass % 2 == 0 ? 0u : 0xb87fffffu;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
