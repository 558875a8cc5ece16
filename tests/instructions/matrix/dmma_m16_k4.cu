// m16n8k4 of float64: values of like size.
// uses: DMMA.16x8x4
// input: integer
// archs: 90
// out: 2048
// A value that needs all 53 bits.
__device__ double value(unsigned w) { return (int)w * (1.0 + (w & 255u) * 0x1p-50); }
extern "C" __global__ void test(const unsigned* in, double* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 224 * pass + 7 * threadIdx.x;
    double a[2], b[1], c[4];
    for (int i = 0; i < 2; ++i) a[i] = value(w[i]);
    for (int i = 0; i < 1; ++i) b[i] = value(w[i + 2]);
    for (int i = 0; i < 4; ++i) c[i] = value(w[i + 3]);
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b[0]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
