// m16n8k16 of float64: a special value in every fourth factor.
// uses: DMMA.16x8x16
// input: float64
// archs: 90
// out: 1024
extern "C" __global__ void test(const double* in, double* out) {
  for (int pass = 0; pass < 4; ++pass) {
    const double* const w = in + 512 * pass + 16 * threadIdx.x;
    double a[8], b[4], c[4];
    for (int i = 0; i < 8; ++i) a[i] = w[i];
    for (int i = 0; i < 4; ++i) b[i] = w[i + 8];
    for (int i = 0; i < 4; ++i) c[i] = w[i + 12];
    for (double& x : a) x = threadIdx.x % 4 == 0 ? x : 0.75;
    for (double& x : b) x = (threadIdx.x + pass) % 4 == 0 ? x : -1.5;
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, "
        "%11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
          "d"(b[1]), "d"(b[2]), "d"(b[3]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
