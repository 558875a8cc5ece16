// TF32 m16n8k8 into f32: infinities and NaNs in one column of A, and in C.
// uses: HMMA.1688.F32.TF32
// input: float32
// archs: 80 86 89 90
// out: 1024
// Without infinities and NaNs: their exponent loses its highest bit.
__device__ unsigned finite(unsigned w) { return (w & 0x7f800000u) == 0x7f800000u ? w ^ 0x40000000u : w; }
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[4], b[2], c[4];
    for (int i = 0; i < 4; ++i) a[i] = w[i];
    for (int i = 0; i < 2; ++i) b[i] = w[i + 4];
    for (int i = 0; i < 4; ++i) c[i] = w[i + 6];
    for (int i = 0; i < 4; ++i)
      if (i > 0 || (threadIdx.x + pass) % 4 != 0) a[i] = finite(a[i]);
    for (unsigned& x : b) x = finite(x);
    if ((threadIdx.x + pass) % 3 != 0)
      for (unsigned& x : c)
        if ((x & 0x7f800000u) == 0x7f800000u) x ^= 0x40000000u;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
