// m8n8k32 of S4 by S4. Before sm_90 it is one IMMA, on sm_90 the elements are widened first.
// uses: IMMA
// input: integer
// out: 512
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[1], b[1], c[2];
    for (int i = 0; i < 1; ++i) a[i] = w[i];
    for (int i = 0; i < 1; ++i) b[i] = w[i + 1];
    for (int i = 0; i < 2; ++i) c[i] = w[i + 2];
    asm volatile("mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(a[0]), "r"(b[0]));
    for (int i = 0; i < 2; ++i) out[64 * pass + 2 * threadIdx.x + i] = c[i];
  }
}
