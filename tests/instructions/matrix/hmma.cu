// Products of F16, BF16 and TF32 matrices, added up in F32 or F16: mma.sync of m16n8k4 to m16n8k16, over
// values of which each kind tries one thing (`prepare`).
// archs: 80 86 89 90
// out: 1024
//
// define: FACTOR=f16 SUM=f32 K=16
// uses: HMMA.16816.F32
// input: small16
// case: hmma_f16_f32_k16 VALUES=ordinary
// case: hmma_f16_f32_k16_cancel VALUES=cancel
// input: integer
// case: hmma_f16_f32_k16_denormal VALUES=denormal
// case: hmma_f16_f32_k16_zero VALUES=zero
// input: float16
// case: hmma_f16_f32_k16_finite VALUES=finite
// case: hmma_f16_f32_k16_special VALUES=special
//
// define: FACTOR=bf16 SUM=f32 K=16
// uses: HMMA.16816.F32.BF16
// input: smallb16
// case: hmma_bf16_f32_k16 VALUES=ordinary
// case: hmma_bf16_f32_k16_cancel VALUES=cancel
// input: integer
// case: hmma_bf16_f32_k16_denormal VALUES=denormal
// case: hmma_bf16_f32_k16_tiny VALUES=tiny
// input: bfloat16
// case: hmma_bf16_f32_k16_finite VALUES=finite
// case: hmma_bf16_f32_k16_special VALUES=special
//
// define: FACTOR=bf16 SUM=f32 K=8
// uses: HMMA.1688.F32.BF16
// input: smallb16
// case: hmma_bf16_f32_k8 VALUES=ordinary
//
// define: FACTOR=tf32 SUM=f32 K=4
// uses: HMMA.1684.F32.TF32
// input: small32
// case: hmma_tf32_f32_k4 VALUES=ordinary
//
// define: FACTOR=tf32 SUM=f32 K=8
// uses: HMMA.1688.F32.TF32
// case: hmma_tf32_f32_k8 VALUES=ordinary
// case: hmma_tf32_f32_k8_cancel VALUES=cancel
// input: integer
// case: hmma_tf32_f32_k8_denormal VALUES=denormal
// input: float32
// case: hmma_tf32_f32_k8_finite VALUES=finite
// case: hmma_tf32_f32_k8_special VALUES=special
//
// define: FACTOR=f16 SUM=f16 K=16
// uses: HMMA.16816.F16
// out: 512
// input: small16
// case: hmma_f16_f16_k16 VALUES=ordinary
// case: hmma_f16_f16_k16_cancel VALUES=cancel
// input: integer
// case: hmma_f16_f16_k16_denormal VALUES=denormal
// case: hmma_f16_f16_k16_zero VALUES=zero
// input: float16
// case: hmma_f16_f16_k16_finite VALUES=finite
// case: hmma_f16_f16_k16_special VALUES=special
//
// archs: 75 80 86 89 90
// define: FACTOR=f16 SUM=f16 K=8
// uses: HMMA.1688.F16
// input: small16
// case: hmma_f16_f16_k8 VALUES=ordinary
// case: hmma_f16_f16_k8_cancel VALUES=cancel
// input: integer
// case: hmma_f16_f16_k8_denormal VALUES=denormal
// case: hmma_f16_f16_k8_zero VALUES=zero
// input: float16
// case: hmma_f16_f16_k8_finite VALUES=finite
// case: hmma_f16_f16_k8_special VALUES=special
//
// define: FACTOR=f16 SUM=f32 K=8
// uses: HMMA.1688.F32
// out: 1024
// input: small16
// case: hmma_f16_f32_k8 VALUES=ordinary
// case: hmma_f16_f32_k8_cancel VALUES=cancel
// input: integer
// case: hmma_f16_f32_k8_denormal VALUES=denormal
// case: hmma_f16_f32_k8_zero VALUES=zero
// input: float16
// case: hmma_f16_f32_k8_finite VALUES=finite
// case: hmma_f16_f32_k8_special VALUES=special
enum class Type { f16, bf16, tf32, f32 };
enum class Values { ordinary, cancel, denormal, finite, special, zero, tiny };
constexpr Type kFactor = Type::FACTOR, kSum = Type::SUM;
constexpr Values kValues = Values::VALUES;
// Registers of a lane.
constexpr int kA = K * (kFactor == Type::tf32 ? 4 : 2) / 8, kB = kA / 2, kC = kSum == Type::f32 ? 4 : 2;

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define MMA \
  "mma.sync.aligned.m16n8k" TEXT(K) ".row.col." TEXT(SUM) "." TEXT(FACTOR) "." TEXT(FACTOR) "." TEXT(SUM) " "

__device__ inline void multiply(unsigned (&c)[2], const unsigned (&a)[2], const unsigned (&b)[1]) {
  asm volatile(MMA "{%0, %1}, {%2, %3}, {%4}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
__device__ inline void multiply(unsigned (&c)[2], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(MMA "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
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

// Without infinities and NaNs: their exponent loses its highest bit.
__device__ inline unsigned finite(unsigned w, Type type) {
  const unsigned high = type == Type::f16 ? 0x7c000000u : 0x7f800000u;
  const bool is_pair = type == Type::f16 || type == Type::bf16;
  if (is_pair && (w & high >> 16) == high >> 16) w ^= 0x4000u;
  if ((w & high) == high) w ^= 0x40000000u;
  return w;
}

__device__ inline void prepare(unsigned (&a)[kA], unsigned (&b)[kB], unsigned (&c)[kC], int pass) {
  if constexpr (kValues == Values::cancel) {
    // Sums whose large terms cancel: neighbouring products differ only in the last bit of A.
    if constexpr (kFactor == Type::tf32) {
      for (unsigned& x : a) x = __shfl_sync(0xffffffffu, x, threadIdx.x & ~1u) ^ (threadIdx.x & 1u) << 13;
      for (unsigned& x : b) x = __shfl_sync(0xffffffffu, x, threadIdx.x & ~1u) ^ (threadIdx.x & 1u) << 31;
    } else {
      for (unsigned& x : a) x = (x & 0xffffu) * 0x10001u ^ 0x10000u;
      for (unsigned& x : b) x = (x & 0xffffu) * 0x10001u ^ 0x80000000u;
    }
    for (unsigned& x : c) x = pass % 2 == 0 ? 0u : x;
  }
  if constexpr (kValues == Values::denormal && kFactor == Type::f16) {
    // How products of denormal numbers are aligned, and denormal results: A is denormal, B lies below 2 with
    // all smaller exponents, C is zero in every other pass.
    for (unsigned& x : a) x &= 0x83ff83ffu;
    for (unsigned& x : b) x &= 0xbfffbfffu;
    for (unsigned& x : c) x &= pass % 2 == 0 ? 0u : kSum == Type::f32 ? 0xb87fffffu : 0x83ff83ffu;
  }
  if constexpr (kValues == Values::denormal && kFactor != Type::f16) {
    // The same where F32 has the exponents of the factors: A is denormal, B lies between 2 and 2^65, C is
    // zero in every other pass, else denormal.
    for (unsigned& x : a) x &= kFactor == Type::bf16 ? 0x807f807fu : 0x807fffffu;
    for (unsigned& x : b)
      x = kFactor == Type::bf16 ? (x & 0x9fff9fffu) | 0x40004000u : (x & 0x9fffffffu) | 0x40000000u;
    for (unsigned& x : c) x &= pass % 2 == 0 ? 0u : 0x807fffffu;
  }
  if constexpr (kValues == Values::finite) {
    // All exponents, zeroes and denormal numbers among them.
    for (unsigned& x : a) x = finite(x, kFactor);
    for (unsigned& x : b) x = finite(x, kFactor);
    for (unsigned& x : c) x = finite(x, kSum);
  }
  if constexpr (kValues == Values::special) {
    // Infinities and NaNs in one column of A, and in C.
    for (int i = 0; i < kA; ++i)
      if (i > 0 || (threadIdx.x + pass) % 4 != 0) a[i] = finite(a[i], kFactor);
    for (unsigned& x : b) x = finite(x, kFactor);
    if ((threadIdx.x + pass) % 3 != 0)
      for (unsigned& x : c) x = finite(x, kSum);
  }
  if constexpr (kValues == Values::zero) {
    // Whether products of zero take part in the alignment, and the sign of zero: the columns of A in lanes
    // with t = 0 are zero, and there B is large; all else is small. Rows 4 to 7 of A are zero. C is +0 or -0.
    const unsigned t = threadIdx.x % 4;
    for (unsigned& x : a)
      x = t == 0 || threadIdx.x / 16 == 1 ? x & 0x80008000u : (x & 0x87ff87ffu) | 0x04000400u;
    for (unsigned& x : b) x = t == 0 ? (x & 0x83ff83ffu) | 0x78007800u : x & 0x8fff8fffu;
    for (unsigned& x : c) x = pass % 2 == 0 ? 0u : kSum == Type::f32 ? 0x80000000u : 0x80008000u;
  }
  if constexpr (kValues == Values::tiny) {
    // Sums near the smallest denormal number, and the sign of those that are truncated to zero: A lies in
    // 2^-99 to 2^-95, B in 2^-59 to 2^-55; in odd passes all products are negative. C is a zero of either
    // sign or one of the smallest denormal numbers.
    for (unsigned& x : a) x = (x & 0x81ff81ffu) | 0x0e000e00u;
    for (unsigned& x : b) x = (x & 0x81ff81ffu) | 0x22002200u;
    for (unsigned& x : a) x = pass % 2 == 0 ? x : x & 0x7fff7fffu;
    for (unsigned& x : b) x = pass % 2 == 0 ? x : x | 0x80008000u;
    for (unsigned& x : c) x &= pass % 4 < 2 ? 0x80000000u : 0x80000001u;
  }
}

extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[kA], b[kB], c[kC];
    for (int i = 0; i < kA; ++i) a[i] = w[i];
    for (int i = 0; i < kB; ++i) b[i] = w[kA + i];
    for (int i = 0; i < kC; ++i) c[i] = w[kA + kB + i];
    prepare(a, b, c, pass);
    multiply(c, a, b);
    for (int i = 0; i < kC; ++i) out[32 * kC * pass + kC * threadIdx.x + i] = c[i];
  }
}
