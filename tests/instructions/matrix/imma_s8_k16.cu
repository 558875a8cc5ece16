// m8n8k16 of S8 by S8.
// uses: IMMA.8816.S8.S8
// input: integer
// out: 512
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[1], b[1], c[2];
    for (int i = 0; i < 1; ++i) a[i] = w[i];
    for (int i = 0; i < 1; ++i) b[i] = w[i + 1];
    for (int i = 0; i < 2; ++i) c[i] = w[i + 2];
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(a[0]), "r"(b[0]));
    for (int i = 0; i < 2; ++i) out[64 * pass + 2 * threadIdx.x + i] = c[i];
  }
}
