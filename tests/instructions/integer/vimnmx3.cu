// uses: VIMNMX3
// out: 1536
// The smallest and largest of three.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256], c = in[i + 512];
    out[6 * i] = __vimin3_s32((int)a, (int)b, (int)c), out[6 * i + 1] = __vimax3_u32(a, b, c);
    out[6 * i + 2] = __vimax3_s16x2(a, b, c), out[6 * i + 3] = __vimin3_u16x2(a, b, c);
    out[6 * i + 4] = __vimin3_s16x2_relu(a, b, c), out[6 * i + 5] = __vimax3_s32_relu((int)a, (int)b, (int)c);
  }
}
