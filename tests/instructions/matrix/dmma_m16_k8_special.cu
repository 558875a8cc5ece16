// m16n8k8 of float64: a special value in every fourth factor.
// uses: DMMA.16x8x8
// input: float64
// archs: 90
// out: 1536
extern "C" __global__ void test(const double* in, double* out) {
  for (int pass = 0; pass < 6; ++pass) {
    const double* const w = in + 320 * pass + 10 * threadIdx.x;
    double a[4], b[2], c[4];
    for (int i = 0; i < 4; ++i) a[i] = w[i];
    for (int i = 0; i < 2; ++i) b[i] = w[i + 4];
    for (int i = 0; i < 4; ++i) c[i] = w[i + 6];
    for (double& x : a) x = threadIdx.x % 4 == 0 ? x : 0.75;
    for (double& x : b) x = (threadIdx.x + pass) % 4 == 0 ? x : -1.5;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, "
        "%1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
