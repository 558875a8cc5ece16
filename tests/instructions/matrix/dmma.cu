// Products of float64 matrices: m8n8k4, and on Hopper m16n8k4, m16n8k8 and m16n8k16. Values are of like size
// and need all 53 bits, or (SPECIAL) every fourth factor is a special value.
// archs: 80 86 89 90
// define: M=8 K=4
// uses: DMMA.8x8x4
// out: 1024
// input: integer
// case: dmma_k4
// input: float64
// case: dmma_k4_special SPECIAL
//
// archs: 90
// define: M=16 K=4
// uses: DMMA.16x8x4
// out: 2048
// input: integer
// case: dmma_m16_k4
// input: float64
// case: dmma_m16_k4_special SPECIAL
//
// define: M=16 K=8
// uses: DMMA.16x8x8
// out: 1536
// input: integer
// case: dmma_m16_k8
// input: float64
// case: dmma_m16_k8_special SPECIAL
//
// define: M=16 K=16
// uses: DMMA.16x8x16
// out: 1024
// input: integer
// case: dmma_m16_k16
// input: float64
// case: dmma_m16_k16_special SPECIAL
// Values of a lane, and as many passes as the input has values for, at most 8.
constexpr int kA = M * K / 32, kB = K / 4, kC = M / 4, kValues = kA + kB + kC;
constexpr int kPasses = 8 * 32 * kValues <= 2048 ? 8 : 2048 / (32 * kValues);

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define MMA "mma.sync.aligned.m" TEXT(M) "n8k" TEXT(K) ".row.col.f64.f64.f64.f64 "

__device__ inline void multiply(double (&c)[2], const double (&a)[1], const double (&b)[1]) {
  asm volatile(MMA "{%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(c[0]), "+d"(c[1]) : "d"(a[0]), "d"(b[0]));
}
__device__ inline void multiply(double (&c)[4], const double (&a)[2], const double (&b)[1]) {
  asm volatile(MMA "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a[0]), "d"(a[1]), "d"(b[0]));
}
__device__ inline void multiply(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
  asm volatile(MMA "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
__device__ inline void multiply(double (&c)[4], const double (&a)[8], const double (&b)[4]) {
  asm volatile(MMA
               "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                 "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

#ifdef SPECIAL
using Word = double;
__device__ double value(double w) { return w; }
#else
using Word = unsigned;
// A value that needs all 53 bits.
__device__ double value(unsigned w) { return (int)w * (1.0 + (w & 255u) * 0x1p-50); }
#endif

extern "C" __global__ void test(const Word* in, double* out) {
  for (int pass = 0; pass < kPasses; ++pass) {
    const Word* const w = in + 32 * kValues * pass + kValues * threadIdx.x;
    double a[kA], b[kB], c[kC];
    for (int i = 0; i < kA; ++i) a[i] = value(w[i]);
    for (int i = 0; i < kB; ++i) b[i] = value(w[kA + i]);
    for (int i = 0; i < kC; ++i) c[i] = value(w[kA + kB + i]);
#ifdef SPECIAL
    for (double& x : a) x = threadIdx.x % 4 == 0 ? x : 0.75;
    for (double& x : b) x = (threadIdx.x + pass) % 4 == 0 ? x : -1.5;
#endif
    multiply(c, a, b);
    for (int i = 0; i < kC; ++i) out[32 * kC * pass + kC * threadIdx.x + i] = c[i];
  }
}
