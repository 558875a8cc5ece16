// uses: LEA.HI
// out: 2048
// Division by constants: products and shifts instead.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 256; i += 32) {
    const unsigned a = in[i];
    const int s = (int)a;
    out[8 * i] = s / 7, out[8 * i + 1] = s % 1000, out[8 * i + 2] = s / 16, out[8 * i + 3] = s / -3;
    out[8 * i + 4] = a / 7, out[8 * i + 5] = a % 1000, out[8 * i + 6] = a / 641, out[8 * i + 7] = s % 64;
  }
}
