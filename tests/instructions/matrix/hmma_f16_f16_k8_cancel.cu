// F16 m16n8k8 into f16: sums whose large terms cancel.
// uses: HMMA.1688.F16
// input: small16
// out: 512
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[2], b[1], c[2];
    for (int i = 0; i < 2; ++i) a[i] = w[i];
    for (int i = 0; i < 1; ++i) b[i] = w[i + 2];
    for (int i = 0; i < 2; ++i) c[i] = w[i + 3];
    // Neighbouring products cancel but for the last bit of A.
    for (unsigned& x : a) x = (x & 0xffffu) * 0x10001u ^ 0x10000u;
    for (unsigned& x : b) x = (x & 0xffffu) * 0x10001u ^ 0x80000000u;
    for (unsigned& x : c) x = pass % 2 == 0 ? 0u : x;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int i = 0; i < 2; ++i) out[64 * pass + 2 * threadIdx.x + i] = c[i];
  }
}
