// Products of matrices of 8-bit and 4-bit integers, signed and unsigned, with and without clamping. Products
// of 4-bit elements are one IMMA before sm_90; on sm_90 the elements are widened first.
// input: integer
// define: CLAMP=
//
// define: M=8 BITS=8 K=16
// out: 512
// uses: IMMA.8816.S8.S8
// case: imma_s8_k16 A=s8 B=s8
// uses: IMMA.8816.U8.S8.SAT
// case: imma_u8s8_m8 A=u8 B=s8 CLAMP=.satfinite
//
// define: M=8 BITS=4 K=32
// uses: IMMA
// case: imma_s4_m8_k32 A=s4 B=s4
// case: imma_u4s4_m8_k32 A=u4 B=s4
//
// archs: 80 86 89 90
// out: 1024
// define: M=16 BITS=8 K=16
// uses: IMMA.16816.S8.S8
// case: imma_s8_m16_k16 A=s8 B=s8
// uses: IMMA.16816.S8.U8
// case: imma_s8u8_m16_k16 A=s8 B=u8
//
// define: M=16 BITS=8 K=32
// uses: IMMA.16832.S8.S8
// case: imma_s8_k32 A=s8 B=s8
// uses: IMMA.16832.U8.U8
// case: imma_u8_k32 A=u8 B=u8
// uses: IMMA.16832.U8.S8.SAT
// case: imma_u8s8_k32_sat A=u8 B=s8 CLAMP=.satfinite
//
// define: M=16 BITS=4 K=32
// uses: IMMA
// case: imma_s4_k32 A=s4 B=s4
//
// define: M=16 BITS=4 K=64
// case: imma_s4u4_k64 A=s4 B=u4
// case: imma_u4_k64_sat A=u4 B=u4 CLAMP=.satfinite
// Registers of a lane.
constexpr int kA = M * K * BITS / 1024, kB = 8 * K * BITS / 1024, kC = M / 4;

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define MMA \
  "mma.sync.aligned.m" TEXT(M) "n8k" TEXT(K) ".row.col" TEXT(CLAMP) ".s32." TEXT(A) "." TEXT(B) ".s32 "

__device__ inline void multiply(unsigned (&c)[2], const unsigned (&a)[1], const unsigned (&b)[1]) {
  asm volatile(MMA "{%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));
}
__device__ inline void multiply(unsigned (&c)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
  asm volatile(MMA "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
__device__ inline void multiply(unsigned (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(MMA "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[kA], b[kB], c[kC];
    for (int i = 0; i < kA; ++i) a[i] = w[i];
    for (int i = 0; i < kB; ++i) b[i] = w[kA + i];
    for (int i = 0; i < kC; ++i) c[i] = w[kA + kB + i];
    multiply(c, a, b);
    for (int i = 0; i < kC; ++i) out[32 * kC * pass + kC * threadIdx.x + i] = c[i];
  }
}
