// m16n8k4 of float64: a special value in every fourth factor.
// uses: DMMA.16x8x4
// input: float64
// archs: 90
// out: 2048
extern "C" __global__ void test(const double* in, double* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const double* const w = in + 224 * pass + 7 * threadIdx.x;
    double a[2], b[1], c[4];
    for (int i = 0; i < 2; ++i) a[i] = w[i];
    for (int i = 0; i < 1; ++i) b[i] = w[i + 2];
    for (int i = 0; i < 4; ++i) c[i] = w[i + 3];
    for (double& x : a) x = threadIdx.x % 4 == 0 ? x : 0.75;
    for (double& x : b) x = (threadIdx.x + pass) % 4 == 0 ? x : -1.5;
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b[0]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
