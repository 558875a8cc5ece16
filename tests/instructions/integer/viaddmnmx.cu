// uses: VIADDMNMX
// out: 2048
// The smaller or larger of a sum and a number.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[8 * i] = __viaddmin_s32((int)a, (int)b, (int)c), out[8 * i + 1] = __viaddmax_u32(a, b, c);
    out[8 * i + 2] = __viaddmax_s16x2(a, b, c), out[8 * i + 3] = __viaddmin_u16x2(a, b, c);
    out[8 * i + 4] = __viaddmin_s16x2_relu(a, b, c),
                out[8 * i + 5] = __viaddmax_s32_relu((int)a, (int)b, (int)c);
    out[8 * i + 6] = __viaddmin_s32_relu((int)a, (int)b, (int)c), out[8 * i + 7] = __viaddmax_u16x2(a, b, c);
  }
}
