// Division, FCHK chooses between inline code and a call; both are exact.
// uses: FCHK MUFU.RCP
// input: float32
extern "C" __global__ void test(const float* in, float* out) {
  const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float* const o = out + 8 * threadIdx.x;
  o[0] = a / b;
  o[1] = __fdiv_ru(a, b);
  o[2] = __fdiv_rd(a, b);
  o[3] = __fdiv_rz(a, b);
  o[4] = 1.0f / b;
  o[5] = a / 3.0f;
  o[6] = __frcp_ru(b);
  o[7] = __frcp_rz(a);
}
