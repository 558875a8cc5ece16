// F16 m16n8k8 into f32: finite values of all exponents, zeroes and denormal numbers among them.
// uses: HMMA.1688.F32
// input: float16
// out: 1024
// Without infinities and NaNs: their exponent loses its highest bit.
__device__ unsigned finite(unsigned w) {
  if ((w & 0x7c00u) == 0x7c00u) w ^= 0x4000u;
  if ((w & 0x7c000000u) == 0x7c000000u) w ^= 0x40000000u;
  return w;
}
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (int pass = 0; pass < 8; ++pass) {
    const unsigned* const w = in + 512 * pass + 16 * threadIdx.x;
    unsigned a[2], b[1], c[4];
    for (int i = 0; i < 2; ++i) a[i] = w[i];
    for (int i = 0; i < 1; ++i) b[i] = w[i + 2];
    for (int i = 0; i < 4; ++i) c[i] = w[i + 3];
    for (unsigned& x : a) x = finite(x);
    for (unsigned& x : b) x = finite(x);
    for (unsigned& x : c)
      if ((x & 0x7f800000u) == 0x7f800000u) x ^= 0x40000000u;
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int i = 0; i < 4; ++i) out[128 * pass + 4 * threadIdx.x + i] = c[i];
  }
}
