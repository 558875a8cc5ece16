// Square root, with a call if the inline code is not exact.
// uses: MUFU.RSQ
// input: float32
// out: 128
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[threadIdx.x];
  float* const o = out + 4 * threadIdx.x;
  o[0] = sqrtf(a);
  o[1] = sqrtf(fabsf(a));
  o[2] = __fsqrt_ru(fabsf(a));
  o[3] = __fsqrt_rz(fabsf(a));
}
