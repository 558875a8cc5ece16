// uses: VIMNMX.U16x2 VIMNMX.S16x2
// out: 1536
// Smaller and larger of halves.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i], b = in[i + 256];
    out[6 * i] = __vminu2(a, b), out[6 * i + 1] = __vmaxu2(a, b), out[6 * i + 2] = __vmins2(a, b),
            out[6 * i + 3] = __vmaxs2(a, b);
    out[6 * i + 4] = __vimin_s16x2_relu(a, b), out[6 * i + 5] = __vimax_s32_relu((int)a, (int)b);
  }
}
