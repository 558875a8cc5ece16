// FSEL, one of two floats, with signs, by a predicate.
// uses: FSEL
// input: float32
// out: 128
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 4 * threadIdx.x;
  o[0] = a > b ? a : b;
  o[1] = a > b ? -a : b;
  o[2] = a < 0.0f ? a : fabsf(b);
  o[3] = threadIdx.x % 3 == 0 ? -fabsf(a) : -b;
}
