// uses: SHF
// out: 2048
// 64-bit shifts by a variable count and by constants.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    const unsigned long long x = (unsigned long long)a << 32 | b;
    unsigned long long left, right, sign;
    asm volatile("shl.b64 %0, %1, %2;" : "=l"(left) : "l"(x), "r"(c));
    asm volatile("shr.u64 %0, %1, %2;" : "=l"(right) : "l"(x), "r"(c));
    asm volatile("shr.s64 %0, %1, %2;" : "=l"(sign) : "l"(x), "r"(c));
    out[8 * i] = left, out[8 * i + 1] = left >> 32, out[8 * i + 2] = right, out[8 * i + 3] = right >> 32;
    out[8 * i + 4] = sign, out[8 * i + 5] = sign >> 32, out[8 * i + 6] = (long long)x >> 37,
                out[8 * i + 7] = x << 13 >> 32;
  }
}
